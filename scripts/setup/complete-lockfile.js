// Completes package-lock.json after `npm install`: node scripts/setup/complete-lockfile.js
// npm leaves out of the lock file every optional platform package that its registry did not answer for at that moment; `npm ci`
// then refuses the file as out of step, and other platforms get no binary. The names, versions and platforms are all in the lock
// file already, so the missing entries can be written without asking anybody.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const PLATFORM =
  /(darwin|linux|win32|android|freebsd|openbsd|netbsd|sunos|aix|openharmony)-(x64|arm64|arm|ia32|riscv64|ppc64|s390x|loong64|mips64el)[^-]*-?(gnu|musl)?/

/** The optional packages that some package names and the lock file does not hold: [[name, range], ...]. */
export function missingOptionalPackages(lock) {
  const missing = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!findEntry(lock, path, name)) missing.push([name, range])
    }
  }
  return missing
}

/** Where Node would look: in the package's own node_modules, then in each one above it. */
function findEntry(lock, path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const entry = lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]
    if (entry || at === '') return entry
    if (!at.includes('/node_modules/')) at = ''
  }
}

/** Without `os` and `cpu` npm would install the package everywhere, so a name that tells no platform is refused. */
function platformEntry(name, range) {
  const version = range.replace(/^[\^~]/, '')
  if (name.includes('wasm32')) return { version, optional: true, cpu: ['wasm32'] }
  const [, os, cpu, libc] = name.match(PLATFORM) ?? []
  if (!os)
    throw new Error(`${name}: the platform cannot be told from the name; add it to package-lock.json by hand`)
  return {
    version,
    optional: true,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc === 'gnu' ? 'glibc' : 'musl'] }),
  }
}

/** The same lock file with every optional package in it and no registry's address. */
export function completeLockfile(lock) {
  const packages = { ...lock.packages }
  for (const [name, range] of missingOptionalPackages(lock))
    packages[`node_modules/${name}`] = platformEntry(name, range)
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...lock,
    packages: Object.fromEntries(sorted.map(([path, { resolved: _address, ...entry }]) => [path, entry])),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = new URL('../../package-lock.json', import.meta.url)
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = missingOptionalPackages(lock)
  writeFileSync(file, `${JSON.stringify(completeLockfile(lock), null, 2)}\n`)
  console.log(`package-lock.json: ${missing.length} optional packages added`)
}
