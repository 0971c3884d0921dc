"""Who signed for a published version; the whole way is in test_publish."""

from skillc.core.skill.contract import PublishedFrom
from skillc.core.skill.publication import published_contract
from skillc.lifecycle.publications import published_by
from tests.makers import make_contract
from tests.world import World


def test_without_a_record_nobodys_word_stands_for_it(shop: World):
    source = PublishedFrom(namespace="acme", commit="c" * 40, contract="sha256:1")
    contract = published_contract(make_contract(), source, name="some-family")
    assert published_by(shop.context(), contract) == "no publication record names exactly this contract"
