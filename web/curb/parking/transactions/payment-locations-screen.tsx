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
const linkFilters = ['open', 'differs', 'all'] as const
type LinkState = 'open' | 'differs' | 'settled'

const locationsSearch = searchParams({ show: enumParam(linkFilters), location: text(), ...tableParams })

/** Queries that depend on the zones of locations. */
const affectedQueries = [
  listPaymentLocationLinks,
  listPaymentLocationLayers,
  lookUpTransactionShapes,
  getTransactionStatistics,
  getAggregatedCounts,
  listTransactions,
]

/** Returns the best suggestion if it is not the zone that the location is linked to; else null. */
export function getBetterZone({ curb_zone_id: id, suggestions }: PaymentLocationLink): ZoneSuggestion | null {
  const [best] = suggestions
  return best && best.curb_zone_id !== id ? best : null
}

/** Returns whether a location has no zone (`open`), clearly fits another (`differs`), or needs nothing. */
export const getLinkState = (location: PaymentLocationLink): LinkState => {
  if (location.curb_zone_id === null) return 'open'
  return !location.is_linked_by_hand && getBetterZone(location)?.is_clear ? 'differs' : 'settled'
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
  const [checkedRows, setCheckedRows] = useState<ReadonlyMap<string, PaymentLocationLink>>(new Map())
  const [editedLocation, setEditedLocation] = useState<PaymentLocationLink | null>(null)
  const link = useEndpointMutation(linkPaymentLocations, affectedQueries)
  const filterLocations = (filter: (typeof linkFilters)[number]): readonly PaymentLocationLink[] =>
    filter === 'all' ? items : items.filter((location) => getLinkState(location) === filter)
  const linkFilter = search.show ?? (filterLocations('open').length > 0 ? 'open' : 'all')
  const rows = filterLocations(linkFilter)
  // Zones that were linked by hand are settled: they are not replaced in bulk.
  const clearRows = rows.filter(
    (location) => getLinkState(location) !== 'settled' && getBetterZone(location)?.is_clear,
  )
  const acceptableRows = [...checkedRows.values()].filter((location) => getBetterZone(location) !== null)
  /** Links at most `maxLocationLinks` locations, the limit of a request; a further click links more. */
  const acceptSuggestions = (locations: readonly PaymentLocationLink[]): void => {
    const body = {
      links: locations.slice(0, maxLocationLinks).flatMap((location) => {
        const better = getBetterZone(location)
        return better ? [{ location_id: location.location_id, curb_zone_id: better.curb_zone_id }] : []
      }),
    }
    link.mutate(
      { params: { region_id: region.regionId }, body },
      {
        onSuccess: ({ linked }) => {
          setCheckedRows(new Map())
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
        data={linkFilters.map((value) => ({
          value,
          label: t(`curb:payments.locations.state.${value}`, {
            shown: formatInteger(filterLocations(value).length),
          }),
        }))}
        value={linkFilter}
        onChange={(value) => push({ show: linkFilters.find((filter) => filter === value), page: undefined })}
      />
      {link.error ? <FailedState error={link.error} title={t('curb:payments.locations.failed')} /> : null}
      {canEdit && clearRows.length ? (
        <div>
          <Button loading={link.isPending} onClick={() => acceptSuggestions(clearRows)}>
            {t('curb:payments.locations.acceptClear', {
              count: Math.min(clearRows.length, maxLocationLinks),
            })}
          </Button>
        </div>
      ) : null}
      <Table
        label={t('shell:pages.paymentLocations')}
        rows={rows}
        columns={useLocationColumns(canEdit, setEditedLocation)}
        rowKey={(row) => row.location_id}
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
                checked: checkedRows,
                onCheck: setCheckedRows,
                rowLabel: ({ name, location_id: id }: PaymentLocationLink) => name || id,
                actions: (
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={!acceptableRows.length}
                    loading={link.isPending}
                    onClick={() => acceptSuggestions(acceptableRows)}
                  >
                    {t('curb:payments.locations.accept', { count: acceptableRows.length })}
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
      {editedLocation ? (
        <LinkDialog
          location={editedLocation}
          affectedQueries={affectedQueries}
          onClose={() => setEditedLocation(null)}
        />
      ) : null}
    </Stack>
  )
}

function useLocationColumns(
  canEdit: boolean,
  onEdit: (location: PaymentLocationLink) => void,
): TableColumn<PaymentLocationLink>[] {
  const { t } = useTranslation()
  const { isMetric } = useRegion()
  const formatDistanceAway = (meters: number | null): string =>
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
    column('zone', t('curb:payments.locations.column.zone'), (row) => row.zone_name, {
      width: 230,
      renderCell: ({ zone_name: zone, is_linked_by_hand: byHand }) => (
        <>
          {zone ?? t('curb:payments.locations.noZone')}{' '}
          {byHand ? <Badge tone="neutral" text={t('curb:payments.locations.manual')} /> : null}
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
      (row) => getBetterZone(row)?.zone_name ?? null,
      {
        renderCell: (row) => {
          const better = getBetterZone(row)
          if (!better) return ''
          return [
            better.zone_name,
            formatDistanceAway(better.meters),
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
