import { Button, MultiSelect } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CountImport,
  type CountPlace,
  getCountImport,
  listCountFindings,
  listCountImports,
  listCountPlaces,
  matchCountPlaces,
  placeMatches,
} from '#contract/curb-counts.ts'
import { getOccupancy } from '#contract/curb-occupancy.ts'
import { listCurbZoneChoices } from '#contract/curb-zones.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { formatInteger, formatNumber } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { countSearch } from './counts-search.ts'

export const rowsPerPage = 50
/** Queries that change when a file or its places change. */
export const affectedQueries = [
  getCountImport,
  listCountImports,
  listCountPlaces,
  listCountFindings,
  getOccupancy,
]

export interface CountImportParams {
  params: { region_id: string; import_id: string }
}

/** The places of a file, each with its zones. */
export function CountPlaces({ params, countImport }: CountImportParams & { countImport: CountImport }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const { search, push, replace } = useSearchState(countSearch)
  const [editedPlace, setEditedPlace] = useState<CountPlace | null>(null)
  const { page = 1, match, search: searchText } = search
  const places = useEndpointQuery(
    listCountPlaces,
    { params, query: { page, size: rowsPerPage, match, search: searchText } },
    { placeholderData: keepPreviousData },
  )
  const canMatch = can('edit_curb_regulations') && countImport.status !== 'staging'
  return (
    <section>
      <h2>{t('curb:counts.places.title')}</h2>
      <FilterBar
        filters={[
          { kind: 'search', key: 'search', label: t('curb:counts.places.search') },
          {
            kind: 'choice',
            key: 'match',
            label: t('curb:counts.places.match'),
            none: t('curb:imports.any'),
            options: placeMatches.map((value) => ({ value, text: t(`curb:counts.match.${value}`) })),
          },
        ]}
        state={search}
        onChange={(changes) => push({ ...changes, page: undefined })}
        onType={(changes) => replace({ ...changes, page: undefined })}
      />
      <Loaded query={places}>
        {(data) => (
          <>
            <Table
              label={t('curb:counts.places.title')}
              rows={data.items}
              rowKey={({ place }) => place}
              hasTools={false}
              columns={[
                {
                  key: 'label',
                  title: t('curb:counts.places.place'),
                  canSort: false,
                  value: ({ label }) => label,
                },
                {
                  key: 'rows',
                  title: t('curb:counts.places.rows'),
                  isNumber: true,
                  width: 110,
                  canSort: false,
                  value: ({ rows }) => rows,
                  renderCell: ({ rows }) => formatInteger(rows),
                },
                {
                  key: 'match',
                  title: t('curb:counts.places.match'),
                  width: 190,
                  canSort: false,
                  value: ({ match, distance_m: meters }) =>
                    `${t(`curb:counts.match.${match}`)}${meters === null ? '' : ` (${formatNumber(meters, 0)} m)`}`,
                },
                {
                  key: 'zones',
                  title: t('curb:counts.places.zones'),
                  isNumber: true,
                  width: 110,
                  canSort: false,
                  value: (place: CountPlace) => place.zone_ids.length,
                },
                ...(canMatch
                  ? [
                      {
                        key: 'choose',
                        title: t('curb:counts.places.choose'),
                        isActions: true,
                        width: 140,
                        value: () => null,
                        renderCell: (place: CountPlace) => (
                          <Button size="compact-sm" variant="default" onClick={() => setEditedPlace(place)}>
                            {t('curb:counts.places.choose')}
                          </Button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
            <Pager
              page={page}
              size={rowsPerPage}
              total={data.total}
              onPage={(next) => push({ page: next })}
            />
          </>
        )}
      </Loaded>
      {editedPlace ? (
        <ZonesDialog params={params} place={editedPlace} onClose={() => setEditedPlace(null)} />
      ) : null}
    </section>
  )
}

const maxZones = 5000

/** Assigns zones to a place by hand. */
function ZonesDialog({
  params,
  place,
  onClose,
}: CountImportParams & { place: CountPlace; onClose: () => void }) {
  const { t } = useTranslation()
  const [zoneIds, setZoneIds] = useState(place.zone_ids)
  const zones = useEndpointQuery(listCurbZoneChoices, {
    params: { region_id: params.region_id },
    query: { size: maxZones },
  })
  const save = useEndpointMutation(matchCountPlaces, affectedQueries)
  return (
    <FormDialog
      title={t('curb:counts.places.chooseTitle', { place: place.label })}
      action={t('curb:counts.places.save')}
      isPending={save.isPending}
      error={save.error}
      errorTitle={t('curb:counts.places.failed')}
      onSubmit={() =>
        save.mutate(
          { params, body: { places: [{ place: place.place, zone_ids: zoneIds }] } },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <MultiSelect
        label={t('curb:counts.places.zones')}
        description={t('curb:counts.places.chooseText')}
        searchable
        limit={100}
        data={(zones.data?.items ?? []).map(({ curb_zone_id: id, street_name: street, name }) => ({
          value: id,
          label: [street, name].filter(Boolean).join(' · ') || id,
        }))}
        value={zoneIds}
        onChange={setZoneIds}
      />
    </FormDialog>
  )
}
