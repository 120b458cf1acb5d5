# Sourced by tests of pages, after prelude.sh: `in_browser < SCRIPT` runs a JavaScript module that imports
# open_page.mjs. The browser is the distribution's chromium; its driver and axe-core come from npm once, in the
# versions of browser/package-lock.json, and are kept in the build tree.

need chromium node npm flame_graph_from_text
node_major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
[ "$node_major" -ge 18 ] || skip "node $(node --version) is older than 18"
BROWSER=$(command -v chromium)
export BROWSER
modules=$BUILD_DIR/tests/e2e/browser
mkdir -p "$modules"
(
  flock 9
  cmp -s "$here/browser/package-lock.json" "$modules/installed-lock.json" && exit
  cp "$here"/browser/package*.json "$modules/"
  npm ci --prefix "$modules" --no-audit --no-fund > "$modules/npm.log" 2>&1 || exit 1
  cp "$modules/package-lock.json" "$modules/installed-lock.json"
) 9> "$modules/lock" || {
  tail -n 3 "$modules/npm.log"
  [ "${PRODPGO_TOOLS-}" != required ] || fail "npm cannot install $here/browser/package-lock.json"
  skip "npm cannot install the driver of the browser"
}
cmp -s "$here/browser/open_page.mjs" "$modules/open_page.mjs" || cp "$here/browser/open_page.mjs" "$modules/"

in_browser() {
  { echo "import { inPage, accessibilityFaults, assert } from \"$modules/open_page.mjs\";"; cat; } > test.mjs
  timeout 240 node test.mjs
}

# A profile of 100 that can be checked by hand, and one after it.
cat > before.folded << 'END'
server`main;server`serve;server`parse 30
server`main;server`serve;server`parse;libc.so.6`malloc 10
server`main;server`serve;server`render 40
server`main;server`serve;server`render;libc.so.6`malloc 15
server`main;server`idle 5
END
cat > after.folded << 'END'
server`main;server`serve;server`parse 20
server`main;server`serve;server`parse;libc.so.6`malloc 10
server`main;server`serve;server`render 47
server`main;server`serve;server`render;libc.so.6`malloc 15
server`main;server`serve;server`compress 3
server`main;server`idle 5
END
