import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type EffectRow, getEffectReport, type PriceProposalDetail } from '#contract/curb-price-proposals.ts'
import { toMajor } from '#contract/money.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { formatInteger, formatPercent } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import styles from './pricing.module.css'
import { formatKeyName, formatRate } from './pricing-text.ts'

/** Occupancy before and after the rates took effect. */
export function EffectTable({ proposal, region }: { proposal: PriceProposalDetail; region: Region }) {
  const { t, i18n } = useTranslation()
  const currency = region.currencyCode
  const response = useEndpointQuery(getEffectReport, {
    params: { region_id: region.regionId, proposal_id: proposal.proposal_id },
  })
  const columns = useMemo((): TableColumn<EffectRow>[] => {
    const rateColumn = (key: 'rate_before' | 'rate_after'): TableColumn<EffectRow> =>
      column(key, t(`curb:pricing.effect.${key}`), (row) => toMajor(row[key], currency), {
        renderCell: (row) => formatRate(row[key], currency),
        isNumber: true,
      })
    const shareColumn = (
      key: 'occupancy_before' | 'occupancy_after' | 'coverage_after',
    ): TableColumn<EffectRow> =>
      column(key, t(`curb:pricing.effect.${key}`), (row) => row[key], {
        renderCell: (row) => formatPercent(row[key]),
        isNumber: true,
      })
    return [
      column('shape_name', t('curb:pricing.column.shape'), (row) => row.shape_name),
      column('band', t('curb:pricing.column.band'), (row) => formatKeyName(t, row.band)),
      column('day_type', t('curb:pricing.column.dayType'), (row) => formatKeyName(t, row.day_type)),
      rateColumn('rate_before'),
      rateColumn('rate_after'),
      shareColumn('occupancy_before'),
      shareColumn('occupancy_after'),
      column('days_after', t('curb:pricing.effect.days_after'), (row) => row.days_after, { isNumber: true }),
      { ...shareColumn('coverage_after'), isHidden: true },
    ]
  }, [t, currency])
  return (
    <section className={styles['layout']} aria-labelledby="effect">
      <h2 id="effect">{t('curb:pricing.effect.title')}</h2>
      <Loaded query={response}>
        {(report) => (
          <>
            <Text size="sm" c="dimmed">
              {t('curb:pricing.effect.periods', {
                before: formatPeriod(report.before, i18n.language),
                after: report.after
                  ? formatPeriod(report.after, i18n.language)
                  : t('curb:pricing.effect.notYet'),
              })}
            </Text>
            <ul>
              {report.groups.map((group) => (
                <li key={group.direction}>
                  {t('curb:pricing.effect.group', {
                    direction: t(`curb:pricing.outcome.${group.direction}`),
                    rows: formatInteger(group.rows),
                    before: formatPercent(group.occupancy_before),
                    after: formatPercent(group.occupancy_after),
                  })}
                </li>
              ))}
            </ul>
            <Text size="sm" c="dimmed">
              {t('curb:pricing.effect.note')}
            </Text>
            <Table
              label={t('curb:pricing.effect.title')}
              rows={report.items}
              columns={columns}
              rowKey={(row) => `${row.curb_zone_id} ${row.band} ${row.day_type}`}
              defaultSort="shape_name"
              fileName={`curb-price-effect_${proposal.proposal_id}`}
            />
          </>
        )}
      </Loaded>
    </section>
  )
}
