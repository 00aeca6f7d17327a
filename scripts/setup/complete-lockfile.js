// Completes package-lock.json after `npm install`: node scripts/setup/complete-lockfile.js
// npm omits optional platform packages from the lock file if the registry did not respond for them. `npm ci`
// then rejects the file as out of sync, and other platforms get no binary. The names, versions and platforms
// are already in the lock file, so the missing entries can be written without a network.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const PLATFORM =
  /(darwin|linux|win32|android|freebsd|openbsd|netbsd|sunos|aix|openharmony)-(x64|arm64|arm|ia32|riscv64|ppc64|s390x|loong64|mips64el)[^-]*-?(gnu|musl)?/

/** Finds optional packages that a package depends on but that have no entry: [[name, range], ...]. */
export function findMissingOptionalPackages(lock) {
  const missing = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!findEntry(lock, path, name)) missing.push([name, range])
    }
  }
  return missing
}

/** Finds a package's entry like Node: in the importing package's node_modules, then in those above it. */
function findEntry(lock, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const entry = lock.packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]
    if (entry || folder === '') return entry
    if (!folder.includes('/node_modules/')) folder = ''
  }
}

/**
 * Makes the entry of a package for the platform in its name. Without `os` and `cpu` npm would install it on all
 * platforms, so a name without a platform throws.
 */
function makePlatformEntry(name, range) {
  const version = range.replace(/^[\^~]/, '')
  if (name.includes('wasm32')) return { version, optional: true, cpu: ['wasm32'] }
  const [, os, cpu, libc] = name.match(PLATFORM) ?? []
  if (!os)
    throw new Error(`${name}: its name does not contain the platform; add it to package-lock.json by hand`)
  return {
    version,
    optional: true,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc === 'gnu' ? 'glibc' : 'musl'] }),
  }
}

/** Adds all optional packages to a lock file, and removes addresses of a registry. */
export function completeLockfile(lock) {
  const packages = { ...lock.packages }
  for (const [name, range] of findMissingOptionalPackages(lock))
    packages[`node_modules/${name}`] = makePlatformEntry(name, range)
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...lock,
    packages: Object.fromEntries(sorted.map(([path, { resolved: _address, ...entry }]) => [path, entry])),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = new URL('../../package-lock.json', import.meta.url)
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = findMissingOptionalPackages(lock)
  writeFileSync(file, `${JSON.stringify(completeLockfile(lock), null, 2)}\n`)
  console.log(`package-lock.json: ${missing.length} optional packages added`)
}
