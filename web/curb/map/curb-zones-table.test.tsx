import { QueryClientProvider } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#web/data/test-server.ts'
import { createQueryClient } from '#web/data/query.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import type { CurbMapSearch } from './curb-map-search.ts'
import { getRegionCurbSource } from './curb-source.ts'
import { CurbZonesTable } from './curb-zones-table.tsx'

afterEach(() => vi.unstubAllGlobals())

const makeZone = (curb_zone_id: string, street_name: string) => ({
  curb_zone_id,
  street_name,
  street_side: 'E',
  state: 'paid_parking',
  max_stay: 120,
  first_hour: 250,
  length_m: 40,
  capacity: 6,
})
const zones = [makeZone('z1', 'Harbour Street'), makeZone('z2', 'Mill Road')]

function SearchableTable() {
  const [search, setSearch] = useState<CurbMapSearch>({ page: 2 } as CurbMapSearch)
  return (
    <CurbZonesTable
      source={getRegionCurbSource('port-meridian')}
      search={search}
      at={0}
      user={{ user_classes: 'car', purposes: '' }}
      currency="USD"
      isMetric
      height={560}
      onSearch={(text) => setSearch({ ...search, search: text, page: undefined })}
      onSelect={() => {}}
      onStateChange={() => {}}
    />
  )
}

it('the zones table is searched by street on the server', async () => {
  const { requests } = fakeServer({
    'GET /v2/regions/port-meridian/curb/zones_at': ({ query }: { query: URLSearchParams }) => {
      const items = zones.filter(({ street_name: street }) => street.includes(query.get('text') ?? ''))
      return { items, total: items.length, page: 1, size: 300 }
    },
  })
  await renderPart(
    <QueryClientProvider client={createQueryClient()}>
      <SearchableTable />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('Harbour Street')).toBeInTheDocument()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search streets and zones' }), 'Mill')
  await vi.waitFor(() => expect(screen.queryByText('Harbour Street')).not.toBeInTheDocument())
  expect(screen.getByText('Mill Road')).toBeInTheDocument()
  expect(requests.at(-1)?.query.get('page')).toBe('1')
})
