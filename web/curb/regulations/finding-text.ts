import type { TFunction } from 'i18next'
import type { RegulationFinding } from '#contract/curb-regulations.ts'

/** Formats a finding, such as `Rule 2: … (5 zones)`; a path such as `rules.1` names the row. */
export function formatFinding(
  t: TFunction,
  { code, path, other, zone_count: zones, is_about_other: isAboutOther }: RegulationFinding,
): string {
  const [, list, index] = /^(rules|time_spans)\.(\d+)/.exec(path) ?? []
  const rowName =
    list === undefined
      ? null
      : t(list === 'rules' ? 'curb:regulations.rule.row' : 'curb:regulations.span.row', {
          row: Number(index) + 1,
        })
  const message = t(`curb:regulations.finding.${isAboutOther ? 'hides_other' : code}`)
  const details = [
    other ? t('curb:regulations.findings.other', { name: other.name }) : null,
    zones === null ? null : t('curb:regulations.findings.zones', { count: zones }),
  ].filter((detail) => detail !== null)
  return `${rowName ? `${rowName}: ` : ''}${message}${details.length ? ` (${details.join(', ')})` : ''}`
}
