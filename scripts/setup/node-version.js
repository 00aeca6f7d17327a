// Imported first by start.js and test.js for its side effect. On an old Node the following imports would fail
// with an unhelpful error.
const REQUIRED = [20, 19]

export function isOldNode(version) {
  const [major, minor] = version.split('.').map(Number)
  const [requiredMajor, requiredMinor] = REQUIRED
  return major < requiredMajor || (major === requiredMajor && minor < requiredMinor)
}

if (isOldNode(process.versions.node)) {
  console.error(
    `Publicway needs Node ${REQUIRED.join('.')} or newer; this is Node ${process.versions.node}. See https://nodejs.org/`,
  )
  process.exit(1)
}
