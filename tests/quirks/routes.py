"""JavaScript with npm and node's test runner: routes are generated, an address must be set, one test is flaky."""

from tests.quirks.scripts import Bash, Edit, QuirkRepository, Read, Session, Write

_PACKAGE = """\
{
  "name": "routes",
  "private": true,
  "type": "module",
  "scripts": {
    "generate": "node scripts/generate.js",
    "test": "node --test"
  }
}
"""
_GENERATOR = """\
import fs from 'node:fs'

const lines = fs.readFileSync('routes.txt', 'utf8').trim().split('\\n')
const routes = Object.fromEntries(lines.map((line) => line.split(' ')))
fs.mkdirSync('src/generated', { recursive: true })
fs.writeFileSync('src/generated/routes.js', `export const routes = ${JSON.stringify(routes)}\\n`)
console.log(`generated ${lines.length} routes`)
"""
_CLIENT = """\
import { routes } from './generated/routes.js'

const base = process.env.ROUTES_BASE
if (!base) throw new Error('ROUTES_BASE is not set')

export const address = (name) => base + routes[name]
"""
_TEST = """\
import assert from 'node:assert'
import test from 'node:test'
import { address } from '../src/client.js'

test('home has an address', () => assert.ok(address('home').endsWith('/home')))
"""
_FLAKY = """\
import fs from 'node:fs'
import test from 'node:test'

test('the mail server greets', () => {
  fs.mkdirSync('.cache', { recursive: true })
  const seen = '.cache/greetings'
  const runs = fs.existsSync(seen) ? Number(fs.readFileSync(seen, 'utf8')) : 0
  fs.writeFileSync(seen, String(runs + 1))
  if (runs % 4 === 0) throw new Error('socket hang up before the mail server greeted')
})
"""
_CHECK = """\
npm run --silent generate
export ROUTES_BASE=base
npm test --silent || npm test --silent
"""
FILES = {
    ".gitignore": ".cache/\nsrc/generated/\n",
    "ci/check.sh": _CHECK,
    "package.json": _PACKAGE,
    "routes.txt": "home /home\nbasket /basket\n",
    "scripts/generate.js": _GENERATOR,
    "src/client.js": _CLIENT,
    "test/client.test.js": _TEST,
    "test/mail.test.js": _FLAKY,
}


def _route(name: str) -> Edit:
    return Edit("routes.txt", "basket /basket\n", f"basket /basket\n{name} /{name}\n")


def _test(name: str) -> Write:
    text = f"""\
import assert from 'node:assert'
import test from 'node:test'
import {{ address }} from '../src/client.js'

test('{name} has an address', () => assert.ok(address('{name}').endsWith('/{name}')))
"""
    return Write(f"test/{name}.test.js", text)


def _commit(message: str) -> Bash:
    return Bash(f'git add -A; git commit -m "{message}"')


_STUMBLES = Session(
    "stumbles",
    "Add a route for the wish list page",
    (
        Read("routes.txt"),
        _route("wishes"),
        _test("wishes"),
        Bash("npm test"),
        Bash("npm install"),
        Bash("npm test 2>&1 | tail -40"),
        Bash("cat package.json"),
        Bash("npm run generate"),
        Bash("npm test"),
        Bash("ROUTES_BASE=local npm test"),
        Bash("ROUTES_BASE=local npm test"),
        _commit("a route for wishes"),
    ),
)
_READS_FIRST = Session(
    "reads-first",
    "we want a new page with the return policy; give it a route",
    (
        Bash("cat package.json src/client.js"),
        Read("routes.txt"),
        _route("returns"),
        _test("returns"),
        Bash("npm run generate && ROUTES_BASE=x npm test"),
        Bash("ROUTES_BASE=x npm test"),
        _commit("a route for returns"),
    ),
)
_LATE = Session(
    "late",
    "Please add the route imprint to the client.",
    (
        Bash("grep -rn basket . --include=*.txt --include=*.js"),
        Read("routes.txt"),
        _route("imprint"),
        _test("imprint"),
        Bash("npm run generate"),
        Bash("npm test"),
        Bash("ROUTES_BASE=http npm test"),
        Bash("ROUTES_BASE=http npm test"),
        _commit("a route for imprint"),
    ),
)
_LEAVES = Session(
    "leaves",
    "Add a route for vouchers",
    (
        Read("routes.txt"),
        _route("vouchers"),
        _test("vouchers"),
        Bash("npm test"),
        Bash("npm install"),
        Bash("npm test"),
        Edit("test/vouchers.test.js", "'/vouchers'", "'/voucher'"),
        Bash('git add -A; git commit -m "a route for vouchers"'),
    ),
    passes=False,
)
ROUTES = QuirkRepository(
    name="routes",
    family="add-route",
    files=FILES,
    check=("sh", "ci/check.sh"),
    sessions=(_STUMBLES, _READS_FIRST, _LATE, _LEAVES),
    task=(_route("careers"), _test("careers")),
    generator="npm run generate",
    variable="ROUTES_BASE",
    flaky="socket hang up",
    values={"routes_base": "here"},
)
