// The part `dependencies` of `npm test`: licenses, install scripts, SBOM and, if a registry can be reached,
// known vulnerabilities.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture, ROOT } from './children.js'
import { findDependencyProblems, formatLicenseList } from './dependencies.js'
import { printProgress } from './print-progress.js'

const readJson = (name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))

/** The part fails if a production dependency has a known vulnerability of these severities. */
const FAILING_SEVERITIES = ['high', 'critical']

/** Writes the SBOM (CycloneDX) and the list of licenses. Returns the problems as sentences. */
export async function checkDependencies(reports) {
  const lock = readJson('package-lock.json')
  const problems = findDependencyProblems(lock, readJson('package.json'))
  const list = join(ROOT, 'docs', 'licenses.md')
  const text = formatLicenseList(lock)
  if (readFileSync(list, { encoding: 'utf8', flag: 'a+' }) !== text) {
    writeFileSync(list, text)
    problems.push('docs/licenses.md was out of date and has been rewritten: commit it.')
  }
  mkdirSync(reports, { recursive: true })
  const sbom = await capture('npm', [
    'sbom',
    '--package-lock-only',
    '--omit=dev',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
  ])
  // npm may print warnings before the document.
  if (sbom.code === 0)
    writeFileSync(join(reports, 'sbom.cdx.json'), sbom.output.slice(sbom.output.indexOf('{')))
  else problems.push('npm sbom failed.')
  return [...problems, ...(await audit())]
}

/** Finds known vulnerabilities. Returns sentences; none if no registry can be reached. */
async function audit() {
  const { output } = await capture('npm', ['audit', '--omit=dev', '--json'])
  let report
  try {
    report = JSON.parse(output)
  } catch {
    report = {}
  }
  if (!report.vulnerabilities) {
    printProgress('no registry can be reached: known vulnerabilities were not checked')
    return []
  }
  return Object.values(report.vulnerabilities)
    .filter(({ severity }) => FAILING_SEVERITIES.includes(severity))
    .map(({ name, severity }) => `${name} has a known vulnerability (${severity}): npm audit`)
}
