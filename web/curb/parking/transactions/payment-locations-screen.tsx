import { Anchor, Button, Select, Stack, Text } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  linkPaymentLocations,
  listPaymentLocationLinks,
  maxLocationLinks,
  type PaymentLocationLink,
  type ZoneSuggestion,
} from '#contract/curb-payment-links.ts'
import {
  getAggregatedCounts,
  getTransactionStatistics,
  listPaymentLocationLayers,
  listTransactions,
  lookUpTransactionShapes,
} from '#contract/curb-payments.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { Badge } from '#web/kit/badge.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatInteger, formatLength } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { showToast } from '#web/kit/toasts.tsx'
import { useMe } from '#web/shell/me.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { enumParam, type SearchOf, searchParams, tableParams, text } from '#web/shell/search-params.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { LinkDialog } from './link-dialog.tsx'
import { LocationsMap } from './locations-map.tsx'

/** Which locations are listed: those without a zone, those with a likelier zone than their own, or all. */
const linkStates = ['open', 'differs', 'all'] as const
type LinkState = (typeof linkStates)[number]

const locationsSearch = searchParams({ show: enumParam(linkStates), location: text(), ...tableParams })

/** Queries that depend on the zones of locations. */
const affected = [
  listPaymentLocationLinks,
  listPaymentLocationLayers,
  lookUpTransactionShapes,
  getTransactionStatistics,
  getAggregatedCounts,
  listTransactions,
]

/** A suggested zone that is likelier than the one that a location is linked to; null if there is none. */
export function betterZone({ curb_zone_id: id, suggestions }: PaymentLocationLink): ZoneSuggestion | null {
  const [best] = suggestions
  return best && best.curb_zone_id !== id ? best : null
}

/** Whether a location is unlinked (`open`), fits another zone better (`differs`), or neither (`all`). */
export const getLinkState = (location: PaymentLocationLink): LinkState => {
  if (location.curb_zone_id === null) return 'open'
  return !location.is_linked_by_hand && betterZone(location)?.is_clear ? 'differs' : 'all'
}

/** Locations of payments and the curb zones that they are linked to. */
export function PaymentLocationsScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const { can } = useMe()
  const { search, push } = useSearchState(locationsSearch)
  const at = useOpenedAt()
  const params = { region_id: region.regionId }
  const links = useEndpointQuery(
    listPaymentLocationLinks,
    { params },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.paymentLocations')}
        context={
          <>
            <Anchor component={Link} underline="always" to={pagePath(region.regionId, 'transactions')}>
              {t('shell:pages.transactions')}
            </Anchor>
            {` · ${region.text}`}
          </>
        }
      />
      <Loaded
        query={links}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('curb:payments.locations.none')} icon={<IconMapPin />}>
            {t('curb:payments.locations.noneText')}
          </EmptyState>
        }
      >
        {({ items }) => (
          <Locations
            items={items}
            search={search}
            push={push}
            canEdit={can('edit_curb_regulations')}
            at={at}
          />
        )}
      </Loaded>
    </ReadingPage>
  )
}

interface Props {
  items: readonly PaymentLocationLink[]
  search: SearchOf<typeof locationsSearch>
  push: (changes: Partial<SearchOf<typeof locationsSearch>>) => void
  canEdit: boolean
  at: number
}

/** The locations of payments on a map and in a table, with the dialog that links them. */
function Locations({ items, search, push, canEdit, at }: Props) {
  const { t } = useTranslation()
  const region = useRegion()
  const [checked, setChecked] = useState<ReadonlyMap<string, PaymentLocationLink>>(new Map())
  const [edited, setEdited] = useState<PaymentLocationLink | null>(null)
  const linking = useEndpointMutation(linkPaymentLocations, affected)
  const count = (state: LinkState): number =>
    state === 'all' ? items.length : items.filter((location) => getLinkState(location) === state).length
  const shownState = search.show ?? (count('open') > 0 ? 'open' : 'all')
  const rows =
    shownState === 'all' ? items : items.filter((location) => getLinkState(location) === shownState)
  const clear = rows.filter((location) => getLinkState(location) !== 'all' && betterZone(location)?.is_clear)
  const acceptable = [...checked.values()].filter((location) => betterZone(location) !== null)
  const accept = (locations: readonly PaymentLocationLink[]): void => {
    const body = {
      links: locations.slice(0, maxLocationLinks).flatMap((location) => {
        const better = betterZone(location)
        return better ? [{ location_id: location.location_id, curb_zone_id: better.curb_zone_id }] : []
      }),
    }
    linking.mutate(
      { params: { region_id: region.regionId }, body },
      {
        onSuccess: ({ linked }) => {
          setChecked(new Map())
          showToast(t('curb:payments.locations.linked', { count: linked }))
        },
      },
    )
  }
  return (
    <Stack>
      <Text size="sm" c="dimmed" maw={720}>
        {t('curb:payments.locations.text')}
      </Text>
      <Select
        label={t('curb:payments.locations.show')}
        maw={320}
        allowDeselect={false}
        data={linkStates.map((value) => ({
          value,
          label: t(`curb:payments.locations.state.${value}`, { shown: formatInteger(count(value)) }),
        }))}
        value={shownState}
        onChange={(value) => push({ show: linkStates.find((state) => state === value), page: undefined })}
      />
      {linking.error ? (
        <FailedState error={linking.error} title={t('curb:payments.locations.failed')} />
      ) : null}
      {canEdit && clear.length ? (
        <div>
          <Button loading={linking.isPending} onClick={() => accept(clear)}>
            {t('curb:payments.locations.acceptClear', { count: Math.min(clear.length, maxLocationLinks) })}
          </Button>
        </div>
      ) : null}
      <Table
        label={t('shell:pages.paymentLocations')}
        rows={rows}
        columns={useLocationColumns(canEdit, setEdited)}
        rowKey={({ location_id: id }) => id}
        state={search}
        onStateChange={push}
        defaultSort="name"
        pageSize={50}
        fileName={`payment-locations_${region.regionId}`}
        selected={search.location ?? null}
        onSelect={(id) => push({ location: id })}
        empty={t('curb:payments.locations.noneInState')}
        {...(canEdit
          ? {
              checks: {
                checked,
                onCheck: setChecked,
                rowLabel: ({ name, location_id: id }: PaymentLocationLink) => name || id,
                actions: (
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={!acceptable.length}
                    loading={linking.isPending}
                    onClick={() => accept(acceptable)}
                  >
                    {t('curb:payments.locations.accept', { count: acceptable.length })}
                  </Button>
                ),
              },
            }
          : {})}
      />
      {rows.some(({ lon }) => lon !== null) ? (
        <LocationsMap
          region={region}
          locations={rows}
          selectedId={search.location ?? null}
          onSelect={(id) => push({ location: id ?? undefined })}
          at={at}
        />
      ) : null}
      {edited ? <LinkDialog location={edited} affected={affected} onClose={() => setEdited(null)} /> : null}
    </Stack>
  )
}

function useLocationColumns(
  canEdit: boolean,
  onEdit: (location: PaymentLocationLink) => void,
): TableColumn<PaymentLocationLink>[] {
  const { t } = useTranslation()
  const { isMetric } = useRegion()
  const formatAway = (meters: number | null): string =>
    meters === null ? '' : t('curb:payments.locations.away', { length: formatLength(meters, isMetric) })
  return [
    column('name', t('curb:payments.locations.column.name'), ({ name, location_id: id }) => name || id, {
      width: 160,
    }),
    column(
      'kind',
      t('curb:payments.locations.column.kind'),
      ({ kind }) => t(`curb:payments.locations.kind.${kind}`),
      { width: 110 },
    ),
    column('zone', t('curb:payments.locations.column.zone'), ({ zone_name: zone }) => zone, {
      width: 230,
      renderCell: ({ zone_name: zone, is_linked_by_hand: byHand }) => (
        <>
          {zone ?? t('curb:payments.locations.noZone')}{' '}
          {byHand ? <Badge tone="neutral" text={t('curb:payments.locations.byHand')} /> : null}
        </>
      ),
    }),
    column('meters', t('curb:payments.locations.column.distance'), ({ meters }) => meters, {
      isNumber: true,
      width: 100,
      renderCell: ({ meters }) => (meters === null ? '' : formatLength(meters, isMetric)),
    }),
    column(
      'suggestion',
      t('curb:payments.locations.column.suggestion'),
      (row) => betterZone(row)?.zone_name ?? null,
      {
        renderCell: (row) => {
          const better = betterZone(row)
          if (!better) return ''
          return [
            better.zone_name,
            formatAway(better.meters),
            t(`curb:payments.locations.reason.${better.is_clear ? better.reason : 'unclear'}`),
          ]
            .filter(Boolean)
            .join(' · ')
        },
      },
    ),
    ...(canEdit
      ? [
          column('change', t('curb:payments.locations.choose'), () => null, {
            width: 150,
            isActions: true,
            renderCell: (row: PaymentLocationLink) => (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('curb:payments.locations.chooseFor', { name: row.name || row.location_id })}
                onClick={() => onEdit(row)}
              >
                {t('curb:payments.locations.choose')}
              </Button>
            ),
          }),
        ]
      : []),
  ]
}
