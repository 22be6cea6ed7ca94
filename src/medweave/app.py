"""The composition root: the only place that names concrete stores, embedders and language models.

`KnowledgeBase` stands on what is opened here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, cast

from medweave.errors import (
    NotFoundError,
    StoreError,
)
from medweave.inplace.store_list import ListedStore, is_store_list, stores_in
from medweave.language.data import shipped
from medweave.model.embedder import AUTOMATIC, EmbedderName
from medweave.model.identifiers import digest
from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import NO_LIMITS, Limits
from medweave.model.vectors import BESIDE, EXACT, VectorSearch
from medweave.ports import (
    GraphStore,
    LanguageModel,
    Progress,
    StoreView,
    SupportsNameCache,
    SupportsNotes,
    no_progress,
)
from medweave.stores.address import StoreAddress
from medweave.stores.derived import view_of
from medweave.stores.registry import adapter_of, address_of, beside, opener_of
from medweave.stores.sqlite.schema import SCHEMA_VERSION
from medweave.stores.sqlite.store import SqliteStore
from medweave.stores.sqlite.writer_lock import only_writer
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.own_words import vocabulary_with
from medweave.vocabulary.vocabulary import shipped_texts

if TYPE_CHECKING:
    from medweave.embedding.choosing import Chosen
    from medweave.graph.copying import Copied
    from medweave.inplace.federation import FederatedStore
    from medweave.inplace.findings import Findings
    from medweave.inplace.store import MappedStore
    from medweave.inplace.suggest import Suggestion
    from medweave.model.configuration import Configuration, Role
    from medweave.model.generated import ModelUse
    from medweave.model.model_checked import ModelChecked
    from medweave.sources.names import Naming
    from medweave.vocabulary.knowledge import Knowledge

LEFT_OUT = "none"
"""Instead of a URL: vectors are not copied."""


@dataclass(frozen=True, slots=True)
class WeightsStatus:
    """A model on this machine."""

    language: str
    """What it reads."""
    model: str
    folder: Path
    wrong: tuple[str, ...]
    """Files that are not there, or not what they should be."""
    missing: tuple[str, ...]
    """Packages that it needs and that are not installed."""


def open_store(
    url: str,
    *,
    create: bool,
    read_only: bool,
    search: VectorSearch,
    vectors: str = "",
    timeout: float | None = None,
) -> GraphStore:
    """The store that a URL names, with its vectors at another, if one is given; a try may take
    `timeout` seconds, if that is said.

    Raises `StoreError` where there is no adapter for it, and `ConfigurationError` where what the
    adapter needs is not installed.
    """
    store = _opened(_address(url, timeout), create=create, read_only=read_only, search=search)
    if not vectors:
        return store
    return beside(store, vectors, read_only=read_only, timeout=timeout)


def _opened(
    address: StoreAddress, *, create: bool, read_only: bool, search: VectorSearch
) -> GraphStore:
    """The store at an address; where it keeps names on this machine, it does."""
    store = opener_of(address)(address, create=create, read_only=read_only, search=search)
    if isinstance(store, SupportsNameCache):
        store.cache_names(cache_folder() / "names")
    return store


def _address(url: str, timeout: float | None = None) -> StoreAddress:
    """Where a URL leads, also one of the stores that a file lists; a try there may take `timeout`
    seconds, if that is said and no file says it for each."""
    if is_federation(url):
        raise StoreError(
            "several stores together are only asked", where=url, remedy=f"name one: {url}#NAME"
        )
    if is_store_list(url):
        return _listed_address(stores_in(url)[0])
    address = address_of(url)
    return address if timeout is None else replace(address, timeout=timeout)


def _listed_address(store: ListedStore) -> StoreAddress:
    address = address_of(store.url)
    return replace(
        address,
        user=store.user or address.user,
        password=store.password or address.password,
        timeout=min(store.timeout, address.timeout),
    )


def listed_mapping(url: str) -> Path | None:
    """The mapping of the one store that a URL names in a file; None where it names none."""
    return stores_in(url)[0].mapping if is_store_list(url) and "#" in url else None


def is_federation(url: str) -> bool:
    """Whether a URL names several stores that are asked together."""
    return is_store_list(url) and "#" not in url


def open_federation(url: str, naming: Naming, search: VectorSearch) -> FederatedStore:
    """The stores that a file lists, as one. They are opened when they are asked."""
    from medweave.graph.copying import refuse_unfinished
    from medweave.inplace.federation import FederatedStore
    from medweave.inplace.members import Member
    from medweave.vocabulary.knowledge import knowledge_of

    def opened(store: ListedStore) -> StoreView:
        address = _listed_address(store)
        if store.mapping:
            return cast("StoreView", view_of(_in_place(address, store.mapping, naming)))
        opened = _opened(address, create=False, read_only=True, search=search)
        made = cast("StoreView", view_of(opened))
        try:
            refuse_unfinished(made, str(address))
        except BaseException:
            made.close()
            raise
        return made

    def knowledge(store: GraphStore) -> Knowledge:
        view = cast("StoreView", view_of(store))
        return knowledge_of(view, naming.vocabulary, naming.lexicon)

    stores = stores_in(url)
    for store in stores:
        _ = store.password, address_of(store.url)  # what is wrong in the file is said at once
    members = [Member(one.name, partial(opened, one), one.timeout) for one in stores]
    return FederatedStore(members, url, knowledge)


def open_in_place(
    url: str, mapping: Path, naming: Naming, *, timeout: float | None = None
) -> MappedStore:
    """A database that medweave did not make, by its URL and a mapping; the index of its names is
    kept in the user's cache. Raises what `open_store` raises, and `MappingError`."""
    return _in_place(_address(url, timeout), mapping, naming)


def _in_place(address: StoreAddress, mapping: Path, naming: Naming) -> MappedStore:
    from medweave.inplace.mapping import read_database_mapping
    from medweave.inplace.opening import open_in_place

    return open_in_place(address, read_database_mapping(mapping), naming, cache_folder() / "names")


def suggest_mapping(
    url: str, vocabulary: Path | None, *, timeout: float | None = None
) -> tuple[dict[str, str], Suggestion]:
    """The server of a database that medweave did not make, and a mapping guessed for it."""
    from medweave.inplace.opening import foreign_rows
    from medweave.inplace.suggest import suggest

    address = _address(url, timeout)
    with closing(foreign_rows(address)) as rows:
        store = {"kind": adapter_of(address).kind, "server": rows.server(), "url": str(address)}
        name = base_name(url).partition(".")[0] or "database"
        return store, suggest(rows, name, vocabulary_with(vocabulary))


def mapping_finds(
    url: str, mapping: Path, vocabulary: Path | None, *, timeout: float | None = None
) -> Findings:
    """What a mapping finds in a database: all of it is read. Raises what `open_in_place` raises."""
    from medweave.inplace.findings import findings_of
    from medweave.sources.names import Naming

    naming = Naming(vocabulary_with(vocabulary), shipped_lexicon())
    with closing(open_in_place(url, mapping, naming, timeout=timeout)) as store:
        return findings_of(store)


def copy_between(
    source: str,
    target: str,
    *,
    force: bool = False,
    from_vectors: str = "",
    to_vectors: str = "",
    timeout: float | None = None,
    progress: Progress = no_progress,
) -> Copied:
    """Copy the base of one URL to another; see `graph.copying`. `from_vectors` is where the vectors
    of the one are, if not in it, or `LEFT_OUT`; `to_vectors` where those of the other go.

    Raises `StoreError`.
    """
    from medweave.graph.copying import copy_base, refuse_unfinished

    shown = str(_address(target))
    opened = _with_its_vectors(source, from_vectors, timeout)
    with closing(view_of(opened)) as held, not_left_empty(target):
        refuse_unfinished(held, str(_address(source)))
        made = open_store(
            target,
            create=True,
            read_only=False,
            search=EXACT,
            vectors=to_vectors,
            timeout=timeout,
        )
        with closing(view_of(made)) as copy:
            if copy.version().id == held.version().id:
                raise StoreError(
                    "this is the very base that is to be copied", where=shown, remedy="name another"
                )
            return copy_base(held, copy, where=shown, force=force, progress=progress)


def _with_its_vectors(url: str, vectors: str, timeout: float | None) -> GraphStore:
    """A base to be read, with its vectors where the base itself says that they are elsewhere."""
    store = open_store(url, create=False, read_only=True, search=EXACT, timeout=timeout)
    told = store.note(BESIDE) if isinstance(store, SupportsNotes) else None
    if vectors == LEFT_OUT or not told or not json.loads(told)["dimension"]:
        return store
    if not vectors:
        store.close()
        raise StoreError(
            "the vectors of this base are in Weaviate",
            where=str(_address(url)),
            remedy=f"name them by --from-vectors URL; --from-vectors {LEFT_OUT} leaves them out",
        )
    return beside(store, vectors, read_only=True, timeout=timeout)


def files_beside(url: str) -> Path | None:
    """The folder beside a base for what is looked at without reading it; None where it has none."""
    file = file_of(url)
    return Path(f"{file}.graph") if file else None


def store_named(url: str) -> dict[str, str]:
    """What kind of store a URL names, and the URL as it may be shown: without a password."""
    if is_federation(url):
        return {"kind": "several", "url": url}
    address = _address(url)
    return {"kind": adapter_of(address).kind, "url": str(address)}


def base_name(url: str) -> str:
    """What a base is called in a report: the last part of its path."""
    return Path(url if is_federation(url) else _address(url).path).name


@contextmanager
def not_left_empty(url: str) -> Iterator[None]:
    """A file that is made for nothing while this is open does not stay behind."""
    file = file_of(url)
    made = file is not None and not file.exists()
    try:
        yield
    finally:
        if file and made:
            discard_if_empty(file)


def file_of(url: str) -> Path | None:
    """The file of a base that is one."""
    if is_federation(url):
        return None
    address = _address(url)
    return Path(address.path) if address.scheme == "sqlite" else None


def open_embedder(name: EmbedderName = AUTOMATIC) -> Chosen:
    """What turns texts into vectors, or none and why: then texts are compared by their words.

    Raises `ConfigurationError` or `EmbeddingError` where one is named that is not installed.
    """
    from medweave.embedding.choosing import choose

    return choose(name)


@contextmanager
def open_cached_embedder(name: EmbedderName = AUTOMATIC) -> Iterator[Chosen]:
    """`open_embedder`, and what it made once for a text is kept in the user's cache, by model.

    Raises what `open_embedder` raises, and `StoreError` where the cache cannot be used.
    """
    from medweave.embedding.cache import CachedEmbedder
    from medweave.embedding.choosing import Chosen

    chosen = open_embedder(name)
    if chosen.embedder is None:
        yield chosen
        return
    model = chosen.embedder.model
    folder = cache_folder() / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    with closing(SqliteStore.open(folder / f"{digest(model.id, 8)}.db", create=True)) as store:
        yield Chosen(CachedEmbedder(chosen.embedder, store.vectors()))


def install_weights(
    language: str = "",
    *,
    source: Path | None = None,
    again: bool = False,
    progress: Progress = no_progress,
) -> tuple[Path, bool]:
    """Fetch the weights of the model that reads a language; where, and whether they are new.

    Of a `source` with no language, those that it holds; else English. Raises `EmbeddingError`.
    """
    from medweave.embedding.weights import ALL, ENGLISH, install_weights, weights_folder, weights_in

    weights = ALL[language] if language else weights_in(source) if source else ENGLISH
    folder = weights_folder(weights)
    return folder, install_weights(weights, folder, source=source, again=again, progress=progress)


def weights_status(language: str = "en") -> WeightsStatus:
    """Whether the model of a language can be used on this machine, and what is in its way."""
    from medweave.embedding.sentence_transformer import missing
    from medweave.embedding.weights import ALL, weights_folder, wrong

    weights = ALL[language]
    folder = weights_folder(weights)
    return WeightsStatus(
        language, weights.model.id, folder, tuple(wrong(weights, folder)), tuple(missing())
    )


def cache_folder() -> Path:
    """Where medweave keeps what it can make again."""
    from platformdirs import user_cache_path  # nothing is kept where nothing is asked

    return user_cache_path("medweave")


def discard_if_empty(path: Path) -> None:
    """A base that was made for nothing does not stay behind; one that others use does."""
    with suppress(StoreError, NotFoundError), only_writer(path):
        with closing(SqliteStore.open(path, create=False, read_only=True)) as store:
            if store.version().revision:
                return
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def sample_files() -> list[Path]:
    """The sample monographs, relations of papers, and dialogues that ship."""
    folder = shipped("samples")
    rows = [*sorted(folder.glob("*.json")), *sorted(folder.glob("*.csv"))]
    return [*rows, *sorted(folder.glob("dialogues/*.jsonl"))]


def rdf_folder(knowledge: Knowledge, *, reasoned: bool = False) -> Path:
    """Where the RDF of a base as it stands is kept, or with it all that follows; it is made where
    it is not there.

    Of older revisions of the same base nothing is kept.
    """
    from medweave.exchange.sparql import keep_rdf
    from medweave.reasoning.quads import quads_that_follow

    version = knowledge.store.version()
    words = digest([knowledge.vocabulary.version, knowledge.lexicon.version], 4)
    kept = cache_folder() / ("rdf-reasoned" if reasoned else "rdf") / digest(version.id, 8)
    folder = kept / f"{version.hash[:16]}-{version.revision}-{words}"
    return keep_rdf(knowledge, folder, quads_that_follow if reasoned else None)


def sample_path() -> Path:
    """Where the sample base is kept; another one for other samples or other code."""
    naming = (shipped_lexicon().version, SCHEMA_VERSION, digest(shipped_texts()))
    code = sorted(path for end in ("py", "yaml") for path in shipped("sources").rglob(f"*.{end}"))
    template = shipped("vocabulary", "dialogue_template.yaml")  # its bytes: it is not read for this
    content = (path.read_bytes() for path in (*sample_files(), template, *code))
    numbers = [blake2b(each, digest_size=8).hexdigest() for each in content]
    return cache_folder() / f"sample-{digest([naming, numbers], 6)}.db"


def open_language_model(
    named: LanguageModelName, limits: Limits = NO_LIMITS
) -> LanguageModel | None:
    """The language model that a configuration names; its replies are kept in the user's cache."""
    from medweave.prompting.choosing import choose

    return choose(named, cache_folder(), limits)


def models_of_question(
    own: LanguageModel | None, configuration: Configuration, use: ModelUse
) -> dict[Role, LanguageModel]:
    """The models that may be asked for a question, by role; none where none is configured.

    One of somebody's own goes before what is configured, and is held to the limits here.
    """
    roles: tuple[Role, ...] = ("decompose", "answer", "judge")
    if own is not None:
        held = limited_language_model(own, Limits(requests=use.calls))
        return dict.fromkeys(roles[:-1], held)
    named = {role: configuration.model_of(role) for role in roles}
    opened = {name: open_language_model(name) for name in set(named.values()) if name.provider}
    return {role: model for role, name in named.items() if (model := opened.get(name))}


def limited_language_model(model: LanguageModel, limits: Limits) -> LanguageModel:
    """A model of somebody's own, of which no more is asked than these limits allow."""
    from medweave.prompting.choosing import limited

    return limited(model, limits)


def cached_replies(model: str, address: str = "") -> LanguageModel:
    """What a model, by its id, replied before at an address; it is asked nothing."""
    from medweave.prompting.choosing import cached_only

    return cached_only(model, address, cache_folder())


def check_language_model(named: LanguageModelName) -> ModelChecked:
    """What the endpoint of a model can do: it is asked in every form, and the best is remembered.

    Raises `ConfigurationError` where what it takes to ask is not installed.
    """
    from medweave.prompting.choosing import check

    return check(named, cache_folder())
