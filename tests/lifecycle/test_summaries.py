"""A summary is made once per Trace digest, and shown with the Trace."""

import json

from skillc.lifecycle.summaries import summary_of
from skillc.repo import layout
from tests.world import World


def test_a_summary_is_kept_once_per_digest_and_made_again_when_it_is_damaged(world: World):
    context = world.context()
    trace = next(iter(context.traces.read_all()))
    first = summary_of(context, trace)
    folder = context.repository.private / layout.SUMMARY_CACHE
    (kept,) = folder.iterdir()
    assert summary_of(context, trace) == first

    kept.write_bytes(b"{half")
    assert summary_of(context, trace) == first
    assert len(list(folder.iterdir())) == 1


def test_what_stands_in_the_cache_is_checked_like_a_strangers(world: World):
    context = world.context()
    trace = next(iter(context.traces.read_all()))
    summary_of(context, trace)
    (kept,) = (context.repository.private / layout.SUMMARY_CACHE).iterdir()
    value = json.loads(kept.read_bytes())
    value["approach"] = [{"text": "Was paid.", "events": ["e99999"]}]
    kept.write_text(json.dumps(value), "utf-8")
    assert summary_of(context, trace).approach == ()


def test_show_trace_gives_its_summary(world: World):
    trace_id = next(iter(world.context().traces.stored()))
    shown = json.loads(world.run("show", trace_id, "--json").stdout)
    assert shown["summary"]["tools"]
    text = world.run("show", trace_id).stdout
    assert "approach" in text
    assert "effective" in text
