// Fields and lists without data show why: a failed query must not look like an empty list.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { KeyDialog } from '#web/api-keys/key-dialog.tsx'
import { ChargeDialog } from '#web/billing/charges/charge-dialog.tsx'
import { OperatorCounts } from '#web/billing/invoice/operator-counts.tsx'
import { testInvoice } from '#web/billing/test-invoices.ts'
import { SubscriptionForm } from '#web/compliance/alerts/subscription-form.tsx'
import { FeesAndRevenueScreen } from '#web/curb/revenue/fees-and-revenue-screen.tsx'
import { ComplianceScreen } from '#web/compliance/compliance-screen.tsx'
import { fakeServer } from './test-server.ts'
import { SavedViews } from '#web/filters/saved-views.tsx'
import { DeleteLayerDialog } from '#web/geography/delete-layer-dialog.tsx'
import { DeleteShapeDialog } from '#web/geography/delete-shape-dialog.tsx'
import { MappingUnits } from '#web/imports/mapping-units.tsx'
import { MissingForm } from '#web/imports/missing-form.tsx'
import { testLayer, testShape } from '#web/map-page/test-geography.ts'
import { testFields } from '#web/policies/test-policy.ts'
import { PoliciesScreen } from '#web/policies/policies-screen.tsx'
import { WhoFields } from '#web/policies/who-fields.tsx'
import { OperatorZips } from '#web/reporting/exports/operator-zips.tsx'
import { ReportScreen } from '#web/reporting/report-screen.tsx'
import { dashboard } from '#web/reporting/trip-counts-report.tsx'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { UserFilter } from '#web/users/user-filter.tsx'

const ignore = () => {}
const region = '/v2/regions/port-meridian'
const mapping = {
  columns: {},
  distance_unit: 'm',
  duration_unit: 's',
  date_order: null,
  operator: null,
  vehicle_type: null,
} as const
const policyFields = { draft: testFields(), change: ignore, errorFor: () => null, offers: () => true }

interface Case {
  part: ReactNode
  /** Calls without which the part has no data. */
  calls: readonly string[]
  /** Checkboxes to press first. */
  checks?: readonly string[]
  hasRetry?: true
}
const cases: Record<string, Case> = {
  'saved views': {
    part: <SavedViews href="http://localhost/port-meridian/mobility/maps/trips" onOpen={ignore} />,
    calls: [`GET ${region}/saved_views`],
    hasRetry: true,
  },
  'a new alert subscription': {
    part: <SubscriptionForm regionId="port-meridian" policyId={null} onClose={ignore} onAdded={ignore} />,
    calls: ['POST /v2/policies/list', 'GET /v2/operators'],
    hasRetry: true,
  },
  'units of a trip file': {
    part: <MappingUnits mapping={mapping} orders={[]} onChange={ignore} />,
    calls: ['GET /v2/operators'],
  },
  'the operator of a file': {
    part: (
      <MissingForm imported={{ import_uuid: testInvoice().invoice_id, asks: ['operator'] }} onDone={ignore} />
    ),
    calls: ['GET /v2/operators'],
  },
  'files of operators': { part: <OperatorZips />, calls: ['GET /v2/operators'] },
  'the filter of users': {
    part: <UserFilter value={undefined} onChange={ignore} />,
    calls: ['GET /v2/users'],
  },
  'operators of a policy': {
    part: <WhoFields {...policyFields} currency="USD" regionId="port-meridian" operatorName={String} />,
    calls: ['GET /v2/operators'],
  },
  'the operator of an API key': {
    part: <KeyDialog defaultDays={90} maxDays={365} onClose={ignore} onSecret={ignore} />,
    calls: ['GET /v2/managed_operators'],
    checks: ['Read invoices'],
  },
  'tax rates of a charge': {
    part: <ChargeDialog charge={null} today="2026-06-20" onClose={ignore} />,
    calls: [`GET ${region}/billing_settings`],
  },
  'counts of an operator': {
    part: <OperatorCounts invoice={testInvoice()} />,
    calls: [`GET ${region}/invoices/${testInvoice().invoice_id}/operator_counts`],
    hasRetry: true,
  },
  'dependents of a layer': {
    part: <DeleteLayerDialog layer={testLayer} onClose={ignore} onDeleted={ignore} />,
    calls: [`GET ${region}/layers/${testLayer.shape_layer_uuid}/dependents`],
  },
  'dependents of a shape': {
    part: (
      <DeleteShapeDialog shape={testShape} regionId="port-meridian" onClose={ignore} onDeleted={ignore} />
    ),
    calls: [`GET ${region}/shapes/${testShape.shape_uuid}/dependents`],
  },
  'the filter of compliance': { part: <ComplianceScreen />, calls: ['GET /v2/operators'] },
  'the filter of policies': { part: <PoliciesScreen />, calls: ['GET /v2/operators'] },
  'the filter of a report': { part: <ReportScreen dashboard={dashboard} />, calls: ['GET /v2/operators'] },
  'accounts of curb revenue': { part: <FeesAndRevenueScreen />, calls: [`GET ${region}/curb/accounts`] },
}

afterEach(() => vi.unstubAllGlobals())

it.each(Object.entries(cases))(
  '%s: shows the reason of a failed query',
  async (_, { part, calls, checks, hasRetry }) => {
    const { requests } = fakeServer(signedIn())
    await renderApp(
      [makeScreenEntry('/$regionId/part', 'shell:pages.policies', () => part)],
      '/port-meridian/part',
    )
    for (const name of checks ?? []) await userEvent.click(await screen.findByRole('checkbox', { name }))
    for (const call of calls)
      expect((await screen.findAllByText(`No response to ${call}`, { exact: false })).length).toBeGreaterThan(
        0,
      )
    if (!hasRetry) return
    const countCalls = () =>
      calls.map((call) => requests.filter(({ method, path }) => `${method} ${path}` === call).length)
    const earlierCounts = countCalls()
    for (const retry of screen.getAllByRole('button', { name: 'Try again' })) await userEvent.click(retry)
    expect(countCalls()).toEqual(earlierCounts.map((count) => count + 1))
  },
)
