"""The pitfalls of an earlier system that concern code which is not here, each with the reason.

A row goes when its code comes: then the pitfall gets its named test. tests/pitfalls/test_covered.py holds that every
pitfall is either here or tested.
"""

LATER: dict[int, str] = {
    12: "there is no index of Skills yet: search is not built, and what `show` prints is read from the commit itself",
    27: "no command hands Skills to an agent yet: the host loads the folder, and search and read are not built",
    32: "no command states a gain of a Skill yet: trials and paired runs with a Skill are not built",
}
