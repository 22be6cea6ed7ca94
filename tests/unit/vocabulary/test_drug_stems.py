"""A stem suggests the class that those who bear it belong to, and nothing of plain words."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from medweave.vocabulary.drug_stems import DrugStem, class_by_stem, drug_stems
from medweave.vocabulary.lexicon import shipped_lexicon

BY_CLASS = {
    "penicillins": "talampicillin aspoxicillin amoxicilina amoxicilline",
    "cephalosporins": "cefcapene cephaloridine",
    "carbapenems": "tebipenem",
    "beta-lactamase inhibitors": "relebactam",
    "macrolides": "oleandothromycin",
    "fluoroquinolones": "delafloxacin cinoxacin",
    "tetracyclines": "rolitetracycline",
    "aminoglycosides": "sisomicin",
    "sulfonamide antibiotics": "sulfamerazine sulphamerazine",
    "nitroimidazoles": "carnidazole",
    "benzimidazole anthelmintics": "flubendazole",
    "rifamycins": "rifamycin",
    "azole antifungals": "luliconazole",
    "echinocandins": "rezafungin",
    "HIV protease inhibitors": "pleconavir",
    "antivirals": "omaciclovir ensitrelvir",
    "HIV integrase inhibitors": "carotegravir",
    "antimalarials": "sitamaquine",
    "artemisinin derivatives": "artemotil artesunatum",
    "ACE inhibitors": "spirapril spiraprilat",
    "angiotensin receptor blockers": "fimasartan",
    "beta blockers": "bopindolol dilevalol",
    "dihydropyridine calcium channel blockers": "nilvadipine",
    "alpha blockers": "bunazosin",
    "thiazide diuretics": "polythiazide",
    "loop diuretics": "azosemide",
    "potassium-sparing diuretics": "mexrenone",
    "statins": "bervastatin",
    "fibrates": "etofibrate",
    "phosphodiesterase-5 inhibitors": "udenafil",
    "direct oral anticoagulants": "darexaban ximelagatran",
    "heparins": "reviparin",
    "vitamin K antagonists": "dicoumarol",
    "antiplatelet drugs": "vicagrel cangrelor",
    "thrombolytics": "reteplase",
    "proton pump inhibitors": "tenatoprazole",
    "H2 blockers": "lafutidine",
    "antiemetics": "ramosetron rolapitant",
    "biguanides": "buformin",
    "sulfonylureas": "glisoxepide",
    "DPP-4 inhibitors": "teneligliptin",
    "SGLT2 inhibitors": "sotagliflozin",
    "GLP-1 receptor agonists": "albiglutide",
    "glitazones": "lobeglitazone",
    "glinides": "mitiglinide",
    "nonsteroidal anti-inflammatory drugs": "carprofen cimicoxib ampiroxicam fenclofenac amfenac"
    " flufenamic",
    "triptans": "avitriptan",
    "opioids": "carfentanil ethylmorphine thebacodone oxymorphone cloracetadol",
    "benzodiazepines": "fludiazepam loprazolam brotizolam",
    "barbiturates": "secobarbital secobarbitone",
    "antidepressants": "dapoxetine",
    "tricyclic antidepressants": "butriptyline clocapramine",
    "SNRIs": "faxofaxine",
    "antipsychotics": "bromperidol iloperidone olotiapine oxopiprazole",
    "anticonvulsants": "ethotoin seletracetam mirogabalin",
    "corticosteroids": "fluprednisone fluocortolone flunisonide",
    "beta-2 agonists": "pirbuterol",
    "xanthines": "etamiphylline",
    "leukotriene receptor antagonists": "pranlukast",
    "anticholinergics": "oxitropium",
    "antihistamines": "bepotastine alcaftadine",
    "bisphosphonates": "neridronic neridronate",
    "kinase inhibitors": "lapatinib",
    "JAK inhibitors": "fedracitinib",
    "monoclonal antibodies": "satralizumab",
    "cytotoxic drugs": "epirubicin nedaplatin cabazitaxel pralatrexate vinblastine",
    "aromatase inhibitors": "vorotrozole",
    "5-alpha reductase inhibitors": "episteride",
    "progestogens": "norgestrel",
    "estrogens": "quinestradiol",
    "local anaesthetics": "prilocaine",
    "muscle relaxants": "rocuronium",
    "immunosuppressants": "pimecrolimus",
    "retinoids": "alitretinoin",
    "cholinesterase inhibitors": "neostigmine",
    "androgens": "oxandrolone androstanolone",
}
"""Medicines that the lexicon does not have, by the class that their stem suggests."""
IN_CHINESE = {
    "penicillins": "替卡西林",
    "carbapenems": "多利培南",
    "fluoroquinolones": "帕珠沙星",
    "tetracyclines": "奥马环素",
    "nitroimidazoles": "塞克硝唑",
    "azole antifungals": "艾沙康唑",
    "echinocandins": "雷扎芬净",
    "antivirals": "泛昔洛韦",
    "ACE inhibitors": "佐芬普利",
    "angiotensin receptor blockers": "依普沙坦",
    "beta blockers": "艾司洛尔",
    "dihydropyridine calcium channel blockers": "巴尼地平",
    "alpha blockers": "布那唑嗪",
    "thiazide diuretics": "苄氟噻嗪",
    "statins": "西立伐他汀",
    "fibrates": "环丙贝特",
    "phosphodiesterase-5 inhibitors": "乌地那非",
    "direct oral anticoagulants": "贝曲沙班 希美加群",
    "antiplatelet drugs": "坎格雷洛 维卡格雷",
    "proton pump inhibitors": "艾普拉唑",
    "H2 blockers": "罗沙替丁",
    "antiemetics": "雷莫司琼",
    "DPP-4 inhibitors": "替格列汀",
    "SGLT2 inhibitors": "托格列净",
    "GLP-1 receptor agonists": "贝那鲁肽",
    "glitazones": "环格列酮",
    "glinides": "米格列奈",
    "nonsteroidal anti-inflammatory drugs": "扎托洛芬 依托昔布 氯诺昔康",
    "triptans": "阿莫曲坦",
    "benzodiazepines": "氟地西泮 溴替唑仑",
    "barbiturates": "司可巴比妥",
    "xanthines": "多索茶碱",
    "antihistamines": "奥洛他定",
    "leukotriene receptor antagonists": "扎鲁司特",
    "bisphosphonates": "奈立膦酸",
    "kinase inhibitors": "拉帕替尼",
    "cephalosporins": "头孢硫脒",
    "sulfonylureas": "格列派特",
}
"""The same in Chinese."""
UNKNOWN = {
    name: drug_class
    for drug_class, names in (*BY_CLASS.items(), *IN_CHINESE.items())
    for name in names.split()
}


def beside_stem(stem: DrugStem) -> list[str]:
    """The names above whose class is the one that this stem suggests, and that bear it."""
    return [name for name in UNKNOWN if stem.fits(name) and UNKNOWN[name] == stem.drug_class]


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_name_nobody_knows_is_of_the_class_its_stem_suggests(name: str) -> None:
    assert class_by_stem(name) == class_by_stem(name.upper()) == UNKNOWN[name]


@pytest.mark.parametrize("stem", drug_stems(), ids=lambda stem: f"{stem.begin}-{stem.end}")
def test_every_stem_names_a_class_of_the_lexicon_and_is_tried_above(stem: DrugStem) -> None:
    assert shipped_lexicon().find(stem.drug_class, ["substance"]) is not None
    assert beside_stem(stem)


def test_no_drug_of_the_lexicon_has_the_stem_of_a_class_that_it_is_not_in() -> None:
    lexicon = shipped_lexicon()
    for term in lexicon.terms.values():
        if term.concept != "drug" or term.ingredients:
            continue
        for name in (*term.names.get("en", ()), *term.names.get("zh", ())):
            guess = lexicon.find(class_by_stem(name) or "", ["substance"])
            assert guess is None or term.id in lexicon.narrower([guess.id]), name


@pytest.mark.parametrize(
    "word",
    ["April", "arteries", "cephalic", "cholesterol", "mongrel", "provolone", "reservoir", "marble",
     "pril", "cillin", "a", "", "12", "glittering", "penicillin allergy", "普利", "harlequin"],
)  # fmt: skip
def test_a_word_that_is_no_medicine_suggests_nothing(word: str) -> None:
    assert class_by_stem(word) is None


@pytest.mark.thorough
def test_of_all_plain_english_words_next_to_none_has_a_stem() -> None:
    spec = find_spec("symspellpy")
    assert spec is not None and spec.origin is not None
    listed = Path(spec.origin).parent / "frequency_dictionary_en_82_765.txt"
    words = [line.split()[0] for line in listed.read_text("utf-8-sig").splitlines()]
    lexicon = shipped_lexicon()
    guessed = {w for w in words if class_by_stem(w) and not lexicon.find(w, ["substance"])}
    medicines = {"chlortetracycline", "cortisone", "novocaine", "pentobarbital", "tetracaine"}
    assert guessed <= medicines
