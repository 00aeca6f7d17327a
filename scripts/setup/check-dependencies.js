// The part `dependencies` of `npm test`: licenses, install scripts, SBOM and, with a registry that answers, known vulnerabilities.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture, ROOT } from './children.js'
import { dependencyProblems, licenseList } from './dependencies.js'
import { say } from './say.js'

const readJson = (name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))

/** Production dependencies with a known vulnerability of this severity fail the part. */
const FAILING = ['high', 'critical']

/** Returns what is wrong; writes the SBOM (CycloneDX) and the list of licenses. */
export async function checkDependencies(reports) {
  const lock = readJson('package-lock.json')
  const problems = dependencyProblems(lock, readJson('package.json'))
  const list = join(ROOT, 'docs', 'licenses.md')
  const text = licenseList(lock)
  if (readFileSync(list, { encoding: 'utf8', flag: 'a+' }) !== text) {
    writeFileSync(list, text)
    problems.push('docs/licenses.md was out of date and is written again: commit it.')
  }
  mkdirSync(reports, { recursive: true })
  const sbom = await capture('npm', [
    'sbom',
    '--package-lock-only',
    '--omit=dev',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
  ])
  // Warnings of npm may come first.
  if (sbom.code === 0)
    writeFileSync(join(reports, 'sbom.cdx.json'), sbom.output.slice(sbom.output.indexOf('{')))
  else problems.push('npm sbom failed.')
  return [...problems, ...(await audit())]
}

/** Known vulnerabilities, if the registry can be asked. */
async function audit() {
  const { output } = await capture('npm', ['audit', '--omit=dev', '--json'])
  let report
  try {
    report = JSON.parse(output)
  } catch {
    report = {}
  }
  if (!report.vulnerabilities) {
    say('no registry answers for an audit: known vulnerabilities were not checked')
    return []
  }
  return Object.values(report.vulnerabilities)
    .filter(({ severity }) => FAILING.includes(severity))
    .map(({ name, severity }) => `${name} has a known vulnerability (${severity}): npm audit`)
}
