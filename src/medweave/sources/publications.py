"""What publications and trials are called by their registries, and where these show them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple


class _Registry(NamedTuple):
    pattern: re.Pattern[str]
    """How its ids are written, with or without its name before it."""
    written: str
    """The id as the registry writes it; `{}` is what the pattern's group holds."""
    address: str


def _registry(pattern: str, written: str, address: str) -> _Registry:
    return _Registry(re.compile(pattern, re.IGNORECASE | re.ASCII), written, address)


_REGISTRIES = (
    _registry(r"NCT[ -]?(\d{8})", "NCT{}", "https://clinicaltrials.gov/study/{}"),
    _registry(r"ISRCTN[ -]?(\d{8})", "ISRCTN{}", "https://www.isrctn.com/{}"),
    _registry(r"DRKS[ -]?(\d{8})", "DRKS{}", "https://drks.de/search/en/trial/{}"),
    _registry(
        r"ACTRN[ -]?(\d{14}p?)", "ACTRN{}", "https://www.anzctr.org.au/{}.aspx"
    ),
    _registry(
        r"ChiCTR-?([A-Z]*-?\d{6,})", "ChiCTR{}", "https://www.chictr.org.cn/bin/project/edit?pid={}"
    ),
    _registry(r"NL-?(\d{3,8})", "NL{}", "https://onderzoekmetmensen.nl/en/trial/{}"),
    _registry(
        r"(?:EudraCT:? ?|EUCTR)?(\d{4}-\d{6}-\d{2})(?:-[A-Z]{2})?",
        "{}",
        "https://www.clinicaltrialsregister.eu/ctr-search/search?query={}",
    ),
    _registry(
        r"pub\.(\d{6,})", "pub.{}", "https://app.dimensions.ai/details/publication/{}"
    ),
    _registry(r"(?:doi:? ?|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)", "DOI:{}", "https://doi.org/{}"),
    _registry(r"(?:PMID:? ?|https?://pubmed\.ncbi\.nlm\.nih\.gov/)(\d{1,9})/?", "PMID:{}", "https://pubmed.ncbi.nlm.nih.gov/{}/"),
)  # fmt: skip
_PLAIN_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
"""A number without a name is one of PubMed where the column or layout says so."""


@dataclass(frozen=True, slots=True)
class PublicationId:
    """An id as its registry writes it, and where that shows it; `url` is '' where none does."""

    id: str
    url: str = ""


def publication_id(written: str, *, plain: str = "") -> PublicationId:
    """The id that is meant by what somebody wrote; `plain` is put before a mere number.

    >>> publication_id("pmid 227508").id, publication_id("nct00001615").url
    ('PMID:227508', 'https://clinicaltrials.gov/study/NCT00001615')
    >>> publication_id("227508", plain="PMID:").id, publication_id("../../etc/passwd").id
    ('PMID:227508', '../../etc/passwd')
    """
    text = written.strip()
    if plain and _PLAIN_NUMBER.fullmatch(text):
        text = plain + text
    for registry in _REGISTRIES:
        match = registry.pattern.fullmatch(text)
        if match:
            identifier = registry.written.format(match[1])
            shown = identifier.split(":", 1)[1] if ":" in identifier else identifier
            return PublicationId(identifier, registry.address.format(shown))
    return PublicationId(text)


def web_address(url: str) -> str:
    """An address that may be opened; anything else is a text like others."""
    return url if url.startswith(("https://", "http://")) and not set(url) & set(' <>"\n') else ""
