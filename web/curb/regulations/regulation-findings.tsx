import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { RegulationFinding } from '#contract/curb-regulations.ts'
import { formatFinding } from './finding-text.ts'
import styles from './regulations.module.css'

/** Returns the path of a finding's rule or time span, such as `rules.1`; other paths are unchanged. */
export const toPartPath = (path: string): string => /^(rules|time_spans)\.\d+/.exec(path)?.[0] ?? path

/** Scrolls to a part of the form and focuses its first field. */
function focusPart(path: string): void {
  const part = document.querySelector(`[data-part="${CSS.escape(toPartPath(path))}"]`)
  part?.scrollIntoView({ block: 'nearest' })
  part?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select')?.focus()
}

interface Props {
  /** Undefined during the first check. */
  findings: readonly RegulationFinding[] | undefined
  /** False if the zones have too many different sets of regulations to check them all. */
  isComplete: boolean
}

/** Errors and warnings about the current draft. */
export function RegulationFindings({ findings, isComplete }: Props) {
  const { t } = useTranslation()
  if (!findings) return null
  return (
    <section className={styles['findings']} aria-labelledby="regulation-findings" aria-live="polite">
      <h2 id="regulation-findings">
        {findings.length
          ? t('curb:regulations.findings.count', { count: findings.length })
          : t('curb:regulations.findings.none')}
        {findings.length ? null : <IconCircleCheck size={18} aria-hidden="true" />}
      </h2>
      {findings.length ? (
        <ul>
          {findings.map((finding, index) => (
            <li key={index} data-severity={finding.severity}>
              {finding.severity === 'error' ? (
                <IconCircleX size={16} aria-label={t('curb:regulations.findings.error')} />
              ) : (
                <IconAlertTriangle size={16} aria-label={t('curb:regulations.findings.warning')} />
              )}
              <button type="button" onClick={() => focusPart(finding.path)}>
                {formatFinding(t, finding)}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {isComplete ? null : <p>{t('curb:regulations.findings.incomplete')}</p>}
    </section>
  )
}
