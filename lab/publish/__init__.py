"""From numbers in work to what players read: drafts, versions that land, their rulebooks.

A version's files lie in rules/<game>/: `<version>.json`, the list of changes
`<version>.changes.md`, and `rulebook/<version>.<language>.md`.
"""
