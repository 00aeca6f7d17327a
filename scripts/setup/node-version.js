// Imported first by the two scripts, for its effect: on an old Node the next import would fail with a riddle instead of this line.
const NEEDED = [20, 19]

export function isOldNode(version) {
  const [major, minor] = version.split('.').map(Number)
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])
}

if (isOldNode(process.versions.node)) {
  console.error(
    `Publicway needs Node ${NEEDED.join('.')} or newer; this is Node ${process.versions.node}. See https://nodejs.org/`,
  )
  process.exit(1)
}
