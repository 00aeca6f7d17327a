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

const getSpans = ({ policy }: Regulation) => (policy.time_spans?.length ? policy.time_spans : [{}])
const shownLines = 3

/** Several lines of text; a long list shows only the first ones. */
function Lines({ lines, more }: { lines: readonly string[]; more: (count: number) => string }) {
  const hidden = lines.length - shownLines
  return (
    <>
      {lines.slice(0, shownLines).map((line, index) => (
        <span key={index} className={styles['line']}>
          {line}
        </span>
      ))}
      {hidden > 0 ? <span className={styles['sub']}>{more(hidden)}</span> : null}
    </>
  )
}

/** Columns of the regulations library. */
export function useRegulationColumns(context: TextContext): TableColumn<Regulation>[] {
  const { regionId, isMetric, timezone } = useRegion()
  return useMemo(() => {
    const { t } = context
    const more = (count: number): string => t('curb:regulations.table.more', { count })
    const rules = ({ policy }: Regulation): string[] =>
      policy.rules.map((rule) => formatCdsRule(context, rule))
    const spans = (regulation: Regulation): string[] =>
      getSpans(regulation).map((span) => formatTimeSpan(context, span))
    return [
      column('name', t('curb:regulations.table.name'), ({ name }) => name, {
        renderCell: (regulation) => (
          <Link className={styles['name']} to={regulationAddress(regionId, regulation.regulation_id)}>
            {regulation.name || t('curb:regulations.nameless')}
          </Link>
        ),
      }),
      column('rules', t('curb:regulations.table.rules'), (regulation) => rules(regulation).join('; '), {
        canSort: false,
        renderCell: (regulation) => <Lines lines={rules(regulation)} more={more} />,
      }),
      column('when', t('curb:regulations.table.when'), (regulation) => spans(regulation).join('; '), {
        canSort: false,
        renderCell: (regulation) => <Lines lines={spans(regulation)} more={more} />,
      }),
      column('priority', t('curb:regulations.table.priority'), ({ policy }) => policy.priority, {
        renderCell: ({ policy }) => <span title={formatPriority(t, policy.priority)}>{policy.priority}</span>,
        isNumber: true,
        width: 90,
      }),
      column('zones', t('curb:regulations.table.zones'), ({ zone_count: zones }) => zones, {
        isNumber: true,
        width: 80,
      }),
      column('length', t('curb:regulations.table.length'), ({ length_m: length }) => length, {
        renderCell: ({ length_m: length }) => formatNearDistance(length, isMetric),
        isNumber: true,
        width: 100,
      }),
      column('status', t('curb:regulations.table.status'), ({ status }) => t(`policies:status.${status}`), {
        renderCell: (regulation) => <StatusMark regulation={regulation} />,
      }),
      column('effective_time', t('curb:regulations.table.effective'), ({ effective_time: time }) => time, {
        renderCell: ({ effective_time: time }) => (time ? formatDateTime(time, timezone) : ''),
        isHidden: true,
      }),
      column('modified_time', t('curb:regulations.table.modified'), ({ modified_time: time }) => time, {
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
