// Checks of the dependencies in the lock file: licenses, hashes and install scripts. Works without a network.

/** Licenses that may be combined with AGPL-3.0-or-later, as SPDX expressions in the lock file. */
const ALLOWED = [
  '(MIT AND Zlib)',
  '(MIT OR Apache-2.0)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]

/** Allowed licenses of single packages: not allowed in general, or not in the lock file. With the reason. */
const EXCEPTIONS = {
  jsts: {
    license: '(EDL-1.0 OR EPL-1.0)',
    reason: 'EDL-1.0 is the BSD-3-Clause license of the Eclipse Foundation',
  },
  'png-js': { license: 'MIT', reason: 'its package.json names no license; its file LICENSE is that of MIT' },
}

/** Packages that may run a script when they are installed. */
const MAY_RUN_SCRIPTS = ['chdb', 'esbuild']

const toPackageName = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Lists all packages of a lock file. */
export function listPackages(lock) {
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '')
  const licensed = new Map(
    entries.flatMap(([path, each]) => (each.license ? [[toPackageName(path), each]] : [])),
  )
  return entries.map(([path, each]) => {
    const name = toPackageName(path)
    return {
      name,
      version: each.version,
      license:
        each.license ?? findLicenseOfSibling(name, each, licensed) ?? EXCEPTIONS[name]?.license ?? null,
      isRuntime: !each.dev,
      hasInstallScript: each.hasInstallScript === true,
      integrity: each.integrity ?? null,
      isOptional: each.optional === true,
    }
  })
}

/**
 * Finds the license of a build for another platform, which may have none in the lock file: the license of another
 * build of the same package, such as `@oxfmt/binding-*`.
 */
function findLicenseOfSibling(name, { optional, cpu, os }, licensed) {
  if (!optional || !(cpu || os)) return null
  const family = /^(@[^/]+\/[a-z]+-)/.exec(name)?.[1]
  if (!family) return null
  for (const [other, each] of licensed) if (other.startsWith(family)) return each.license
  return null
}

/** Finds problems of the dependencies. Returns sentences. */
export function findDependencyProblems(lock, { dependencies = {}, devDependencies = {} }) {
  const problems = []
  for (const { name, version, license, hasInstallScript, integrity, isOptional } of listPackages(lock)) {
    const exception = EXCEPTIONS[name]
    if (license === null) problems.push(`${name} ${version} has no known license.`)
    else if (!ALLOWED.includes(license) && exception?.license !== license)
      problems.push(
        `${name} ${version}: the license ${license} is not in the list of scripts/setup/dependencies.js.`,
      )
    if (hasInstallScript && !MAY_RUN_SCRIPTS.includes(name))
      problems.push(`${name} ${version} runs a script when it is installed.`)
    // Optional builds for other platforms may have no hash, because complete-lockfile.js adds them without a
    // registry.
    if (integrity === null ? !isOptional : !integrity.startsWith('sha512-'))
      problems.push(`${name} ${version} has no SHA-512 in the lock file.`)
  }
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`${name}: ${version} is not one exact version.`)
  return problems
}

/** Formats the text of docs/licenses.md: the packages that are installed with the server, by license. */
export function formatLicenseList(lock) {
  const byLicense = new Map()
  for (const { name, version, license, isRuntime } of listPackages(lock))
    if (isRuntime) byLicense.set(license, new Set([...(byLicense.get(license) ?? []), `${name} ${version}`]))
  const sections = [...byLicense]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, names]) => `## ${license}\n${[...names].toSorted().join(', ')}\n`)
  const notes = Object.entries(EXCEPTIONS).map(([name, { reason }]) => `- ${name}: ${reason}.`)
  return [
    '# Licenses of dependencies',
    '',
    'Publicway is licensed under AGPL-3.0-or-later. These packages are installed with the server; those of development are not listed. Made by `npm test dependencies`, which fails for a license that is unknown or not in its list.',
    '',
    ...notes,
    '',
    ...sections,
  ].join('\n')
}
