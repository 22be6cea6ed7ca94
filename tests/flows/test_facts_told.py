"""Facts as people tell them, each held against a drug that it stops, asks about or leaves alone."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.inference.safety.facts import facts_of
from medweave.inference.safety.lineage import lineages_in
from medweave.inference.safety.review import Circumstance, review
from medweave.model.material import Focus

TOLD = [
    # what is told, a drug, and what becomes of it: stopped, asked about (something near it was
    # told), with care, or left alone
    ("Amoxicillin put me in hospital when I was a student.", "amoxicillin", "stop"),
    ("Penicillin nearly killed me once.", "amoxicillin", "stop"),
    ("I come out in lumps all over from sulfa antibiotics.", "co-trimoxazole", "stop"),
    ("Ibuprofen makes my lips swell.", "ibuprofen", "stop"),
    ("Positive skin test for penicillin last year.", "amoxicillin", "stop"),
    ("Her throat closed up after a cefalexin capsule.", "cefalexin", "stop"),
    ("I break out whenever I take doxycycline.", "doxycycline", "stop"),
    ("He had a bad reaction to codeine as a boy.", "codeine", "stop"),
    ("PCN allergy.", "amoxicillin", "stop"),
    ("Allergies: trimethoprim-sulfa (hives).", "co-trimoxazole", "stop"),
    ("Aspirin gives my husband wheals.", "aspirin", "stop"),
    ("We were told never to give him penicillin again after the rash.", "amoxicillin", "stop"),
    ("青霉素皮试阳性。", "amoxicillin", "stop"),
    ("以前打头孢出现过敏性休克。", "ceftriaxone", "stop"),
    ("吃了磺胺药浑身起疹子。", "co-trimoxazole", "stop"),
    ("布洛芬一吃嘴唇就肿。", "ibuprofen", "stop"),
    ("小时候因为阿莫西林住过院。", "amoxicillin", "ask"),
    ("用阿司匹林后喘不上气。", "aspirin", "stop"),
    ("eGFR 20", "metformin", "stop"),
    ("Creatinine clearance of 25 mL/min on Tuesday.", "nitrofurantoin", "stop"),
    ("CrCl 18", "metformin", "stop"),
    ("GFR is down to 22.", "metformin", "stop"),
    ("On dialysis since March.", "metformin", "stop"),
    ("He gets dialysed three times a week.", "metformin", "stop"),
    ("I only have one kidney.", "ibuprofen", "ask"),
    ("My kidneys work at 15 percent.", "metformin", "stop"),
    ("She is cirrhotic with ascites.", "paracetamol", "ask"),
    ("Liver transplant in 2020.", "paracetamol", "ask"),
    ("Child-Pugh C", "tramadol", "care"),
    ("Potassium came back at 6.4.", "spironolactone", "stop"),
    ("Platelet count 12,000.", "methotrexate", "stop"),
    ("肌酐清除率25", "nitrofurantoin", "stop"),
    ("eGFR只有20", "metformin", "stop"),
    ("每周透析三次", "metformin", "stop"),
    ("我只有一个肾", "ibuprofen", "ask"),
    ("肝移植术后", "paracetamol", "ask"),
    ("血钾6.3", "spironolactone", "stop"),
    ("Bleeding ulcer two months ago.", "ibuprofen", "ask"),
    ("Her stomach bled on tablets in the past.", "ibuprofen", "ask"),
    ("stomach bleeding", "ibuprofen", "stop"),
    ("G6PD deficient", "nitrofurantoin", "stop"),
    ("My heart failed last year.", "diclofenac", "ask"),
    ("I had a stroke in May.", "diclofenac", "ask"),
    ("He's a haemophiliac.", "ibuprofen", "stop"),
    ("got bad lungs, COPD, very severe", "propranolol", "stop"),
    ("胃出过血", "ibuprofen", "ask"),
    ("蚕豆病", "nitrofurantoin", "stop"),
    ("去年得过脑梗", "diclofenac", "ask"),
    ("心脏不好，去年心衰", "diclofenac", "ask"),
    ("Nursing a 3-month-old.", "codeine", "stop"),
    ("Currently 33+4.", "ibuprofen", "stop"),
    ("Third trimester, all well so far.", "naproxen", "stop"),
    ("Trying for a baby since June.", "valproate", "stop"),
    ("I just delivered and am giving the breast.", "codeine", "stop"),
    ("The baby is due in four weeks.", "ibuprofen", "stop"),
    ("My period is three weeks late and the test was positive.", "lisinopril", "stop"),
    ("孕33周加4天", "ibuprofen", "stop"),
    ("备孕中", "valproate", "stop"),
    ("刚生完宝宝，正在喂奶", "codeine", "stop"),
    ("预产期还有一个月", "ibuprofen", "stop"),
    ("Her tablets: warfarin 3 mg nocte, bisoprolol.", "ibuprofen", "stop"),
    ("I'm anticoagulated with warfarin.", "naproxen", "stop"),
    ("My neighbour nearly died from penicillin. Can I take amoxicillin?", "amoxicillin", "free"),
    ("No reaction to penicillin ever.", "amoxicillin", "free"),
    ("Skin test for penicillin was negative.", "amoxicillin", "free"),
    ("eGFR 92", "metformin", "free"),
    ("Not trying for a baby.", "valproate", "free"),
    ("青霉素皮试阴性。", "amoxicillin", "free"),
    ("没有出过血，没有溃疡", "ibuprofen", "free"),
    ("Cefalexin sent my daughter to A&E with a swollen face.", "cefalexin", "stop"),
    ("I can't have penicillin, I go all blotchy.", "amoxicillin", "stop"),
    ("Adverse reaction: sulfonamides - rash.", "co-trimoxazole", "stop"),
    ("Naproxen brings me out in hives.", "naproxen", "stop"),
    ("The allergist's prick test for amoxicillin was positive.", "amoxicillin", "stop"),
    ("She collapsed after a penicillin injection in 2001.", "amoxicillin", "stop"),
    ("头孢试敏阳性", "cefalexin", "stop"),
    ("一打青霉素就全身发痒起风团", "amoxicillin", "stop"),
    ("对解热镇痛药不耐受，吃完布洛芬哮喘发作", "ibuprofen", "ask"),
    ("Renal function 19 ml/min", "metformin", "stop"),
    ("estimated GFR: 14", "metformin", "stop"),
    ("She had a kidney removed.", "ibuprofen", "ask"),
    ("End-stage renal failure on CAPD", "metformin", "stop"),
    ("Serum potassium = 6.8 mmol/L", "spironolactone", "stop"),
    ("估算肾小球滤过率 16", "metformin", "stop"),
    ("做血透两年了", "metformin", "stop"),
    ("切了一个肾", "ibuprofen", "ask"),
    ("GI bleed in 2022, nothing since", "ibuprofen", "ask"),
    ("vomited blood from an ulcer last winter", "ibuprofen", "ask"),
    ("He lacks G6PD.", "nitrofurantoin", "stop"),
    ("mini-stroke last Christmas", "diclofenac", "ask"),
    ("消化道出血史", "ibuprofen", "ask"),
    ("三年前中过风", "diclofenac", "ask"),
    ("We hope to conceive soon.", "valproate", "stop"),
    ("Giving my six-week-old my own milk.", "codeine", "stop"),
    ("怀孕32+1周", "ibuprofen", "stop"),
    ("打算要孩子", "valproate", "stop"),
    ("I tolerate penicillin without trouble.", "amoxicillin", "free"),
    ("I went out to buy ibuprofen.", "ibuprofen", "free"),
    ("I have a rash. Can I take amoxicillin?", "amoxicillin", "free"),
    ("My knee is swollen, can I treat it with ibuprofen?", "ibuprofen", "free"),
    ("Swollen ankles; what about naproxen?", "naproxen", "free"),
    ("I put ibuprofen gel on my knee and went to hospital for an X-ray", "paracetamol", "free"),
    ("Does amoxicillin help with a swollen throat?", "amoxicillin", "free"),
    ("My test was positive for strep, so penicillin?", "amoxicillin", "free"),
    ("COVID test positive. Can I take ibuprofen?", "ibuprofen", "free"),
    ("He is in hospital. They gave him ceftriaxone for pneumonia.", "ceftriaxone", "free"),
    ("My 5 day old has jaundice, can he have ceftriaxone?", "ceftriaxone", "stop"),
    ("Our newborn is jaundiced. Can she get ceftriaxone?", "ceftriaxone", "stop"),
    ("新生儿有黄疸，可以打头孢曲松吗", "ceftriaxone", "stop"),
    ("My 2 year old has jaundice, can he have ceftriaxone?", "ceftriaxone", "ask"),
    ("Ibuprofen got me through the night.", "ibuprofen", "free"),
    ("I broke my arm; codeine for the pain?", "codeine", "free"),
    ("hives. is cetirizine good", "cetirizine", "free"),
    ("I came out of hospital on amoxicillin.", "amoxicillin", "free"),
    ("My face swelled up after a bee sting; can I take cetirizine?", "cetirizine", "free"),
    ("我皮肤起疹，能吃氯雷他定吗", "loratadine", "free"),
    ("喉咙肿，吃阿莫西林行吗", "amoxicillin", "free"),
    ("布洛芬能消肿吗", "ibuprofen", "free"),
    ("住过院，出院后吃阿莫西林", "amoxicillin", "free"),
    ("新冠检测阳性，可以吃布洛芬吗", "ibuprofen", "free"),
    ("Kidney function 85 percent. Metformin?", "metformin", "free"),
    ("His kidneys work fine.", "metformin", "free"),
    ("I wheeze; is prednisolone good for wheezing?", "prednisolone", "free"),
    (
        "I have an itchy rash on my arm from poison ivy. Would hydrocortisone help?",
        "prednisolone",
        "free",
    ),
    ("Reaction time is slow with diazepam?", "diazepam", "free"),
    ("My lips are swollen from the cold, ibuprofen?", "ibuprofen", "free"),
]


@pytest.mark.parametrize(("told", "drug", "expected"), TOLD)
def test_a_fact_is_held_against_a_drug(
    base: KnowledgeBase, told: str, drug: str, expected: str
) -> None:
    knowledge = base.knowledge
    focus = Focus(tuple(named.entity for named in knowledge.dictionary.names(drug)))
    circumstance = Circumstance(facts_of(base.understand(told)), lineages_in(knowledge))
    findings = review(focus, circumstance).findings
    hard = [finding for finding in findings if finding.hard]
    stopped = any(finding.holds for finding in hard)
    touched = any(finding.touched or finding.facts for finding in hard)
    if expected == "free":
        assert not any(finding.holds or finding.touched for finding in hard)
    else:
        asked = stopped or touched
        cared = any(finding.holds for finding in findings)
        assert {"stop": stopped, "ask": asked, "care": cared}[expected]
