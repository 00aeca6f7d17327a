import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Regulation } from '#contract/curb-regulations.ts'
import { formatDateTime, formatNearDistance, formatInteger } from '#web/kit/format.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { useRegion } from '#web/shell/region.tsx'
import { regulationAddress } from './regulation-address.ts'
import styles from './regulations.module.css'
import { priorityText, ruleText, spanText, type TextContext } from '../rule-text.ts'
import { StatusMark } from './status-mark.tsx'

const spansOf = ({ policy }: Regulation) => (policy.time_spans?.length ? policy.time_spans : [{}])
const shownLines = 3

/** Lines below each other; of many only the first ones. */
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
    const rules = ({ policy }: Regulation): string[] => policy.rules.map((rule) => ruleText(context, rule))
    const spans = (regulation: Regulation): string[] =>
      spansOf(regulation).map((span) => spanText(context, span))
    return [
      {
        key: 'name',
        title: t('curb:regulations.table.name'),
        value: ({ name }) => name,
        renderCell: (regulation) => (
          <Link className={styles['name']} to={regulationAddress(regionId, regulation.regulation_id)}>
            {regulation.name || t('curb:regulations.nameless')}
          </Link>
        ),
      },
      {
        key: 'rules',
        title: t('curb:regulations.table.rules'),
        canSort: false,
        value: (regulation) => rules(regulation).join('; '),
        renderCell: (regulation) => <Lines lines={rules(regulation)} more={more} />,
      },
      {
        key: 'when',
        title: t('curb:regulations.table.when'),
        canSort: false,
        value: (regulation) => spans(regulation).join('; '),
        renderCell: (regulation) => <Lines lines={spans(regulation)} more={more} />,
      },
      {
        key: 'priority',
        title: t('curb:regulations.table.priority'),
        value: ({ policy }) => policy.priority,
        renderCell: ({ policy }) => <span title={priorityText(t, policy.priority)}>{policy.priority}</span>,
        isNumber: true,
        width: 90,
      },
      {
        key: 'zones',
        title: t('curb:regulations.table.zones'),
        value: ({ zone_count: zones }) => zones,
        renderCell: ({ zone_count: zones }) => formatInteger(zones),
        isNumber: true,
        width: 80,
      },
      {
        key: 'length',
        title: t('curb:regulations.table.length'),
        value: ({ length_m: length }) => length,
        renderCell: ({ length_m: length }) => formatNearDistance(length, isMetric),
        isNumber: true,
        width: 100,
      },
      {
        key: 'status',
        title: t('curb:regulations.table.status'),
        value: ({ status }) => t(`policies:status.${status}`),
        renderCell: (regulation) => <StatusMark regulation={regulation} />,
      },
      {
        key: 'effective_time',
        title: t('curb:regulations.table.effective'),
        value: ({ effective_time: time }) => time,
        renderCell: ({ effective_time: time }) => (time ? formatDateTime(time, timezone) : ''),
        isHidden: true,
      },
      {
        key: 'modified_time',
        title: t('curb:regulations.table.modified'),
        value: ({ modified_time: time }) => time,
        renderCell: ({ modified_time: time, modified_by_email: email }) => (
          <>
            {formatDateTime(time, timezone)}
            <span className={styles['sub']}>{email}</span>
          </>
        ),
        isHidden: true,
      },
    ]
  }, [context, regionId, isMetric, timezone])
}
