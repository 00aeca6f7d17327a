import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { FoundPolicy } from '#contract/policy-import.ts'
import { fakeServer, type Responses } from '#web/data/test-server.ts'
import { renderWithRequests } from '../test-requests.tsx'
import { ImportPolicies } from './import-policies.tsx'

afterEach(() => vi.unstubAllGlobals())

const here = {
  constant_policy_uuid: '22222222-ceea-467f-a0e6-7a1d2b3c4d5e',
  policy_name: 'Here',
  modified_time: '2026-11-20T10:00:00.000Z',
  is_published: true,
  is_changed: false,
  is_edited: false,
}
const makeFoundPolicy = (overrides: Partial<FoundPolicy>): FoundPolicy => ({
  policy_id: 'a',
  policy_name: 'Wharf',
  description: '',
  policy_type: 'no_parking',
  currency: 'USD',
  start_date: '2026-01-01',
  end_date: null,
  is_expired: false,
  places: [{ geography_id: 'g', name: 'Old wharf' }],
  unknown_providers: [],
  faults: [],
  here: null,
  rules: [{ name: 'R', rule_id: 'r', rule_type: 'count', geographies: ['g'], maximum: 0 }],
  ...overrides,
})
const policies = [
  makeFoundPolicy({}),
  makeFoundPolicy({ policy_id: 'b', policy_name: 'Cap', policy_type: null, unknown_providers: ['p'] }),
  makeFoundPolicy({ policy_id: 'c', policy_name: 'Old', is_expired: true }),
  makeFoundPolicy({
    policy_id: 'd',
    policy_name: 'Broken',
    faults: [{ field: 'rules.0.maximum', message: 'must be a number' }],
    rules: [],
  }),
  makeFoundPolicy({ policy_id: 'e', policy_name: 'Here', here }),
]
const preview = {
  source: 'https://a.example/policies',
  version: '2.0.0',
  digest: 'd',
  suggested_agency: 'a.example',
  policies,
}

async function renderImport(responses: Responses = {}) {
  const server = fakeServer({
    'POST /v2/policies/import/preview': () => preview,
    'POST /v2/policies/import': () => ({
      imported: 2,
      updated: 0,
      skipped: 0,
      shape_layer_uuid: '11111111-ceea-467f-a0e6-7a1d2b3c4d5e',
    }),
    ...responses,
  })
  await renderWithRequests(<ImportPolicies regionId="port-meridian" />)
  await userEvent.click(screen.getByRole('button', { name: 'Import' }))
  return server
}
const lookAt = async (url: string) => {
  await userEvent.type(await screen.findByLabelText(/Policies URL/), url)
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
}

it('shows the content of a feed, and imports the selected policies', async () => {
  const server = await renderImport()
  await lookAt('https://a.example/policies')
  expect(await screen.findByText('5 policies in MDS 2.0.0')).toBeTruthy()
  expect(screen.getByText('Imported as MDS rules')).toBeTruthy()
  expect(screen.getByText('rules.0.maximum: must be a number')).toBeTruthy()
  expect(screen.getByText('Already here.')).toBeTruthy()
  const list = within(screen.getByRole('list', { name: 'Policies found' }))
  const getState = (name: string) => {
    const box: HTMLInputElement = list.getByLabelText(name)
    return [box.checked, box.disabled]
  }
  expect(['Wharf', 'Cap', 'Old', 'Broken', 'Here'].map(getState)).toEqual([
    [true, false],
    [true, false],
    [false, false],
    [false, true],
    [false, true],
  ])
  await userEvent.clear(screen.getByLabelText(/Agency/))
  await userEvent.type(screen.getByLabelText(/Agency/), 'City of Alder')
  await userEvent.click(screen.getByRole('button', { name: 'Import 2 policies' }))
  expect(await screen.findByText('2 policies were imported as drafts.')).toBeTruthy()
  expect(server.requests.findLast(({ path }) => path === '/v2/policies/import')?.body).toEqual({
    region_id: 'port-meridian',
    source: { policies_url: 'https://a.example/policies', geographies_url: null },
    digest: 'd',
    agency_name: 'City of Alder',
    policy_ids: ['a', 'b'],
    updates: [],
  })
})

it('updates changed policies only if selected, and names those that are overwritten', async () => {
  const changed = [
    makeFoundPolicy({ policy_id: 'f', policy_name: 'Moved', here: { ...here, is_changed: true } }),
    makeFoundPolicy({
      policy_id: 'g',
      policy_name: 'Both',
      here: { ...here, is_changed: true, is_edited: true, is_published: false },
    }),
  ]
  const server = await renderImport({
    'POST /v2/policies/import/preview': () => ({ ...preview, policies: changed }),
    'POST /v2/policies/import': () => ({ imported: 0, updated: 1, skipped: 0, shape_layer_uuid: null }),
  })
  await lookAt('https://a.example/policies')
  expect(
    await screen.findByText(/^Changed at the source since import\..*the published policy stays/),
  ).toBeTruthy()
  expect(screen.getByText(/Edited here since import\. Importing it overwrites those edits\./)).toBeTruthy()
  const getBoxes = () =>
    ['Moved', 'Both'].map((name) => screen.getByLabelText<HTMLInputElement>(name).checked)
  expect(getBoxes()).toEqual([false, false])
  await userEvent.click(screen.getByLabelText('Select all that can be imported'))
  expect(getBoxes()).toEqual([true, false])
  await userEvent.click(screen.getByRole('button', { name: 'Import 1 policy' }))
  expect(await screen.findByText('1 policy has a draft with the changes.')).toBeTruthy()
  expect(server.requests.findLast(({ path }) => path === '/v2/policies/import')?.body).toMatchObject({
    policy_ids: [],
    updates: [{ policy_id: 'f', if_modified_time: here.modified_time }],
  })
})

it('reports that nothing is new, and does not offer an empty import', async () => {
  await renderImport({
    'POST /v2/policies/import/preview': () => ({ ...preview, policies: [makeFoundPolicy({ here })] }),
  })
  await lookAt('https://a.example/policies')
  expect(await screen.findByText('There is nothing new to import.')).toBeTruthy()
  expect(
    within(screen.getByRole('dialog')).getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled,
  ).toBe(true)
})

it('shows why two files cannot be read', async () => {
  await renderImport()
  await userEvent.click(screen.getByRole('radio', { name: 'Files' }))
  await userEvent.upload(screen.getByLabelText('Choose files', { selector: 'input' }), [
    new File(['<html>'], 'policies.json'),
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
  await waitFor(() => expect(screen.getByText('policies.json is not a JSON file.')).toBeTruthy())
})

it('says how many rules of a policy are not shown', async () => {
  const [rule] = makeFoundPolicy({}).rules
  const rules = Array.from({ length: 9 }, (_, index) => ({ ...rule!, rule_id: `r${index}`, maximum: index }))
  await renderImport({
    'POST /v2/policies/import/preview': () => ({ ...preview, policies: [makeFoundPolicy({ rules })] }),
  })
  await lookAt('https://a.example/policies')
  expect(await screen.findByText(/^and \d+ more lines$/)).toBeTruthy()
})
