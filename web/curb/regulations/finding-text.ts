import type { TFunction } from 'i18next'
import type { RegulationFinding } from '#contract/curb-regulations.ts'

/** What is wrong, in words: where, with which other regulation, in how many zones. */
export function findingText(
  t: TFunction,
  { code, path, other, zone_count: zones, is_about_other: isAboutOther }: RegulationFinding,
): string {
  const [, part, index] = /^(rules|time_spans)\.(\d+)/.exec(path) ?? []
  const where =
    part === undefined
      ? null
      : t(part === 'rules' ? 'curb:regulations.rule.row' : 'curb:regulations.span.row', {
          row: Number(index) + 1,
        })
  const text = t(`curb:regulations.finding.${isAboutOther ? 'hides_other' : code}`)
  const details = [
    other ? t('curb:regulations.findings.other', { name: other.name }) : null,
    zones === null ? null : t('curb:regulations.findings.zones', { count: zones }),
  ].filter((each) => each !== null)
  return `${where ? `${where}: ` : ''}${text}${details.length ? ` (${details.join(', ')})` : ''}`
}
