import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Regulation } from '#contract/curb-regulations.ts'
import { formatDateTime, formatNearDistance } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { useRegion } from '#web/shell/region.tsx'
import { regulationAddress } from './regulation-address.ts'
import styles from './regulations.module.css'
import { formatPriority, formatCdsRule, formatTimeSpan, type TextContext } from '../rule-text.ts'
import { StatusMark } from './status-mark.tsx'

/** Returns the time spans; a regulation without any always applies, as an empty span does. */
const getSpans = ({ policy }: Regulation) => (policy.time_spans?.length ? policy.time_spans : [{}])
const maxLines = 3

interface LinesProps {
  lines: readonly string[]
  formatHidden: (count: number) => string
}

/** Several lines of text; a long list shows only the first ones. */
function Lines({ lines, formatHidden }: LinesProps) {
  const hiddenCount = lines.length - maxLines
  return (
    <>
      {lines.slice(0, maxLines).map((line, index) => (
        <span key={index} className={styles['line']}>
          {line}
        </span>
      ))}
      {hiddenCount > 0 ? <span className={styles['sub']}>{formatHidden(hiddenCount)}</span> : null}
    </>
  )
}

/** Returns the columns of the regulations library. */
export function useRegulationColumns(context: TextContext): TableColumn<Regulation>[] {
  const { regionId, isMetric, timezone } = useRegion()
  return useMemo(() => {
    const { t } = context
    const formatHidden = (count: number): string => t('curb:regulations.table.more', { count })
    const formatRules = ({ policy }: Regulation): string[] =>
      policy.rules.map((rule) => formatCdsRule(context, rule))
    const formatSpans = (regulation: Regulation): string[] =>
      getSpans(regulation).map((span) => formatTimeSpan(context, span))
    return [
      column('name', t('curb:regulations.table.name'), ({ name }) => name, {
        renderCell: (regulation) => (
          <Link className={styles['name']} to={regulationAddress(regionId, regulation.regulation_id)}>
            {regulation.name || t('curb:regulations.nameless')}
          </Link>
        ),
      }),
      column('rules', t('curb:regulations.table.rules'), (regulation) => formatRules(regulation).join('; '), {
        canSort: false,
        renderCell: (regulation) => <Lines lines={formatRules(regulation)} formatHidden={formatHidden} />,
      }),
      column('when', t('curb:regulations.table.when'), (regulation) => formatSpans(regulation).join('; '), {
        canSort: false,
        renderCell: (regulation) => <Lines lines={formatSpans(regulation)} formatHidden={formatHidden} />,
      }),
      column('priority', t('curb:regulations.table.priority'), ({ policy }) => policy.priority, {
        renderCell: ({ policy }) => <span title={formatPriority(t, policy.priority)}>{policy.priority}</span>,
        isNumber: true,
        width: 90,
      }),
      column('zones', t('curb:regulations.table.zones'), (row) => row.zone_count, {
        isNumber: true,
        width: 80,
      }),
      column('length', t('curb:regulations.table.length'), (row) => row.length_m, {
        renderCell: ({ length_m: length }) => formatNearDistance(length, isMetric),
        isNumber: true,
        width: 100,
      }),
      column('status', t('curb:regulations.table.status'), ({ status }) => t(`policies:status.${status}`), {
        renderCell: (regulation) => <StatusMark regulation={regulation} />,
      }),
      column('effective_time', t('curb:regulations.table.effective'), (row) => row.effective_time, {
        renderCell: ({ effective_time: time }) => (time ? formatDateTime(time, timezone) : ''),
        isHidden: true,
      }),
      column('modified_time', t('curb:regulations.table.modified'), (row) => row.modified_time, {
        renderCell: ({ modified_time: time, modified_by_email: email }) => (
          <>
            {formatDateTime(time, timezone)}
            <span className={styles['sub']}>{email}</span>
          </>
        ),
        isHidden: true,
      }),
    ]
  }, [context, regionId, isMetric, timezone])
}
