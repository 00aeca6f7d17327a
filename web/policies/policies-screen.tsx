import { Button } from '@mantine/core'
import { IconFileOff, IconFilePlus, IconFilterOff } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import {
  type ListedPolicy,
  listPolicies,
  policyOrders,
  policyPageSize,
  getMdsGeographies,
  getMdsPolicies,
} from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import { type Operator } from '#contract/operators.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { PolicyStatus } from '#contract/policy.ts'
import { call } from '#web/data/client.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useMe } from '#web/shell/me.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { PublicPageButton } from '#web/shell/public-page-links.tsx'
import { DownloadButton, type DownloadFormat } from '#web/kit/download-button.tsx'
import type { Filter } from '#web/filters/filter.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import type { PolicyAction } from './policy-actions.ts'
import { FeeNoticeDialog } from './fee-notice-dialog.tsx'
import { ImportPolicies } from './import/import-policies.tsx'
import { formatPolicyType } from './type-text.ts'
import { countFilters, type PoliciesSearch, policiesSearch, defaultOrder } from './policies-search.ts'
import { publicPolicyAddress } from './policy-address.ts'
import { policyMenu } from './policy-menu.ts'
import { PolicyActionDialog } from './policy-action-dialog.tsx'
import { PolicyCards } from './policy-cards.tsx'
import { usePolicyColumns } from './use-policy-columns.tsx'
import { usePolicyTextContext } from './use-policy-text-context.ts'
import { PolicyNoticeDialog } from './policy-notice-dialog.tsx'

/** Downloads the region's public MDS data. */
export function MdsDownload({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const toFormat = (name: 'policies' | 'geographies', load: () => Promise<unknown>): DownloadFormat => ({
    label: t(`policies:mds.${name}`),
    fileName: `mds-${name}-${regionId}.json`,
    mediaType: 'application/json',
    load: async () => JSON.stringify(await load(), null, 2),
  })
  const body = { region_id: regionId }
  return (
    <DownloadButton
      variant="default"
      label={t('policies:mds.open')}
      formats={[
        toFormat('policies', () => call(getMdsPolicies, { body })),
        toFormat('geographies', () => call(getMdsGeographies, { body })),
      ]}
      renderError={(error, onClose) => <PolicyNoticeDialog notice="mds" error={error} onClose={onClose} />}
    />
  )
}

/** The library: all policies of a region. */
export function PoliciesScreen() {
  const region = useRegion()
  return <Policies key={region.regionId} region={region} />
}

const noFilters: PoliciesSearch = {
  search: undefined,
  types: undefined,
  statuses: undefined,
  operators: undefined,
  vehicle_types: undefined,
  page: undefined,
}

/** The list of policies with filters and actions. */
function Policies({ region }: { region: Region }) {
  const { regionId, text: regionName } = region
  const { t } = useTranslation()
  const { can } = useMe()
  const context = usePolicyTextContext()
  const { search, push: change, replace: adjust } = useSearchState(policiesSearch)
  const {
    search: text = '',
    types = [],
    statuses = [],
    operators = [],
    vehicle_types = [],
    sort = defaultOrder,
    page = 1,
    size = policyPageSize,
  } = search
  const [dialog, setDialog] = useState<{ action: PolicyAction; policy: ListedPolicy } | null>(null)
  // The search field has its own state while typing; a new key resets it.
  const [filterBarKey, setFilterBarKey] = useState(0)
  const openDialog = useCallback(
    (action: PolicyAction, policy: ListedPolicy) => setDialog({ action, policy }),
    [],
  )
  const canEdit = can('edit_policy')
  const body = { region_id: regionId, text, types, statuses, operators, vehicle_types, sort, page, size }
  // Other users may save policies in the meantime.
  const response = useEndpointQuery(
    listPolicies,
    { body },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const createButton = (
    <Button component={Link} to={pagePath(regionId, 'policyCreate')} leftSection={<IconFilePlus size={18} />}>
      {t('policies:page.create')}
    </Button>
  )
  const isFiltered = text !== '' || countFilters(search) > 0
  const operatorsQuery = useOperators(regionId)
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.policies')}
        context={t('policies:page.context', { region: regionName })}
        actions={
          <>
            <PublicPageButton address={publicPolicyAddress(regionId)} />
            <MdsDownload regionId={regionId} />
            {canEdit ? <ImportPolicies regionId={regionId} /> : null}
            {canEdit ? createButton : null}
          </>
        }
      />
      <FilterBar
        key={filterBarKey}
        filters={getPolicyFilters(t, operatorsQuery.data?.items, operatorsQuery.error?.message)}
        state={search}
        onChange={(changes) => change({ ...changes, page: undefined })}
        onType={(changes) => adjust({ ...changes, page: undefined })}
      />
      <Loaded
        query={response}
        isEmpty={(data) => data.total === 0}
        empty={
          isFiltered ? (
            <NothingFound
              onClear={() => {
                setFilterBarKey(filterBarKey + 1)
                change(noFilters)
              }}
            />
          ) : (
            <NoPolicies canEdit={canEdit} create={createButton} />
          )
        }
      >
        {(data) => (
          <PolicyList
            policies={data.data}
            total={data.total}
            search={search}
            change={change}
            context={context}
            canEdit={canEdit}
            onAction={openDialog}
          />
        )}
      </Loaded>
      {dialog ? (
        <PolicyActionDialog
          action={dialog.action}
          policy={dialog.policy}
          region={region}
          onClose={() => setDialog(null)}
        />
      ) : null}
      <FeeNoticeDialog />
    </ReadingPage>
  )
}

const getPolicyFilters = (
  t: TFunction,
  operators: readonly Operator[] | undefined,
  operatorsError: string | undefined,
): Filter[] => [
  { kind: 'search', key: 'search', label: t('policies:search') },
  {
    kind: 'choices',
    key: 'types',
    label: t('policies:filter.types'),
    all: t('policies:all.types'),
    options: policyTypes.map(({ name }) => ({ value: name, text: formatPolicyType(t, name) })),
  },
  {
    kind: 'choices',
    key: 'statuses',
    label: t('policies:filter.statuses'),
    all: t('policies:all.statuses'),
    options: PolicyStatus.options.map((value) => ({ value, text: t(`policies:status.${value}`) })),
  },
  { kind: 'operators', operators, error: operatorsError },
  { kind: 'vehicleTypes', label: t('policies:filter.vehicleTypes'), all: t('policies:all.vehicleTypes') },
]

interface PolicyListProps {
  policies: readonly ListedPolicy[]
  /** Number of policies on all pages. */
  total: number
  search: PoliciesSearch
  change: (changes: Partial<PoliciesSearch>) => void
  context: ReturnType<typeof usePolicyTextContext>
  canEdit: boolean
  onAction: (action: PolicyAction, policy: ListedPolicy) => void
}

/** One page of policies: a table, or cards on a phone. */
function PolicyList({ policies, total, search, change, context, canEdit, onAction }: PolicyListProps) {
  const { t } = useTranslation()
  const isSmall = useSmallScreen()
  const columns = usePolicyColumns(context)
  const { sort = defaultOrder, page = 1, size = policyPageSize } = search
  return isSmall ? (
    <>
      <PolicyCards
        policies={policies}
        context={context}
        canEdit={canEdit}
        sort={sort}
        onSort={(order) => change({ sort: order, page: undefined })}
        onAction={onAction}
      />
      <Pager page={page} size={size} total={total} onPage={(to) => change({ page: to })} />
    </>
  ) : (
    <Table
      label={t('policies:table.label')}
      rows={policies}
      columns={columns}
      rowKey={(policy) => policy.constant_policy_uuid}
      state={search}
      onStateChange={change}
      defaultSort={defaultOrder}
      server={{ total, sortKeys: policyOrders }}
      pageSize={policyPageSize}
      maxHeight="none"
      isWrapped
      rowMenu={(policy) => policyMenu(t, policy, canEdit, onAction)}
    />
  )
}

/** Shown when no policy matches the filters. */
function NothingFound({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('policies:nothingFound.title')}
      icon={<IconFilterOff />}
      action={
        <Button variant="default" onClick={onClear}>
          {t('policies:nothingFound.clear')}
        </Button>
      }
    >
      {t('policies:nothingFound.text')}
    </EmptyState>
  )
}

/** Shown when the region has no policies. */
function NoPolicies({ canEdit, create }: { canEdit: boolean; create: ReactNode }) {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('policies:empty.title')} icon={<IconFileOff />} action={canEdit ? create : null}>
      {canEdit ? t('policies:empty.text') : null}
    </EmptyState>
  )
}
