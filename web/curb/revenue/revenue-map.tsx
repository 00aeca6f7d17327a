import { Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getCurbRevenueByShape, type RevenueKind } from '#contract/curb-revenue.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Geometry } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { MoneyMap, type MoneyPlace } from '../parking/money-map.tsx'

interface Props {
  region: Region
  filter: { start_date: LocalDay; end_date: LocalDay; kinds?: RevenueKind[]; payers?: string[] }
  at: number
}

/** Curb zones colored by their revenue of all selected kinds. */
export function RevenueMap({ region, filter, at }: Props) {
  const { t } = useTranslation()
  const [selectedZoneId, setSelectedZoneId] = useState<string | null>(null)
  const request = { params: { region_id: region.regionId }, query: filter }
  const response = useEndpointQuery(getCurbRevenueByShape, request, { placeholderData: keepPreviousData })
  const items = response.data?.items
  const places = useMemo(() => {
    const byZone = new Map<string, MoneyPlace & { amounts: string[] }>()
    for (const { curb_zone_id: id, zone_name: name, geometry, kind, amount } of items ?? []) {
      if (geometry === null || amount === null) continue
      const place = byZone.get(id) ?? {
        id,
        name,
        value: 0,
        cardText: '',
        geometry: geometry as Geometry,
        amounts: [],
      }
      byZone.set(id, place)
      place.value += Number(amount)
      place.amounts.push(
        `${t(`curb:revenue.kinds.${kind}`)} ${formatMoney(Number(amount), region.currencyCode)}`,
      )
    }
    return [...byZone.values()].map(({ amounts, ...place }) => ({ ...place, cardText: amounts.join(', ') }))
  }, [items, region.currencyCode, t])
  return (
    <Loaded query={response} isEmpty={() => places.length === 0} empty={null}>
      {() => (
        <section>
          <Title order={2} mb="sm">
            {t('curb:revenue.map')}
          </Title>
          <MoneyMap
            region={region}
            places={places}
            title={t('curb:revenue.map')}
            legendTitle={t('curb:revenue.amount')}
            legendLabel={t('curb:payments.map.legend')}
            at={at}
            selected={selectedZoneId}
            onSelect={setSelectedZoneId}
          />
        </section>
      )}
    </Loaded>
  )
}
