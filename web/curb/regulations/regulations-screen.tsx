import { Button } from '@mantine/core'
import { IconFileOff, IconFilePlus, IconFilterOff, IconSettings } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { curbActivities, wellKnownPurposes, wellKnownUserClasses } from '#contract/cds.ts'
import {
  downloadCurbPolicies,
  downloadPoliciesAndZones,
  filterCurbPolicies,
  type Regulation,
  regulationOrderKeys,
  type RegulationOrder,
  regulationPageSize,
} from '#contract/curb-regulations.ts'
import { PolicyStatus } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { getCurbSettings } from '#contract/curb-settings.ts'
import { call } from '#web/data/client.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { DownloadButton } from '#web/kit/download-button.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { PublicPageButton } from '#web/shell/public-page-links.tsx'
import { publicAddress } from '#web/shell/public-address.ts'
import { useMe } from '#web/shell/me.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import type { Filter } from '#web/filters/filter.ts'
import { CurbSettingsDialog } from './curb-settings-dialog.tsx'
import { RegulationDialog } from './regulation-dialog.tsx'
import { type RegulationAction, getRegulationMenu } from './regulation-menu.ts'
import { defaultOrder, isFiltered, type RegulationsSearch, regulationsSearch } from './regulations-search.ts'
import { formatActivity, formatUserClass, formatPurpose } from '../rule-text.ts'
import { useRegulationColumns } from './use-regulation-columns.tsx'
import { useTextContext } from '../use-text-context.ts'

/** Downloads: curb policies as CDS JSON or CSV, and policies with zones as a zip. */
function DownloadRegulations({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const params = { region_id: regionId }
  const toFileFormat = (format: 'json' | 'csv') => ({
    label: t(`curb:regulations.download.${format}`),
    fileName: `curb-policies_${regionId}.${format}`,
    mediaType: format === 'csv' ? 'text/csv' : 'application/json',
    load: () => call(downloadCurbPolicies, { params, query: { format } }),
  })
  return (
    <DownloadButton
      variant="default"
      label={t('curb:regulations.download.open')}
      formats={[
        toFileFormat('json'),
        toFileFormat('csv'),
        {
          label: t('curb:regulations.download.zip'),
          fileName: `curb-policies-and-zones_${regionId}.zip`,
          mediaType: 'application/zip',
          load: () => call(downloadPoliciesAndZones, { params }),
        },
      ]}
    />
  )
}

/** The library: all curb regulations of a region. */
export function RegulationsScreen() {
  const region = useRegion()
  return <Regulations key={region.regionId} region={region} />
}

const noFilters: RegulationsSearch = {
  search: undefined,
  statuses: undefined,
  activities: undefined,
  user_classes: undefined,
  purposes: undefined,
  paid: undefined,
  page: undefined,
}

/** The list of regulations with filters and actions. */
function Regulations({ region: { regionId, text: regionName, timezone } }: { region: Region }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const textContext = useTextContext()
  const columns = useRegulationColumns(textContext)
  const { search, push, replace } = useSearchState(regulationsSearch)
  const [dialog, setDialog] = useState<{ action: RegulationAction; regulation: Regulation } | null>(null)
  const [areSettingsOpen, setAreSettingsOpen] = useState(false)
  // The search field has its own state while typing; a new key resets it.
  const [filterBarKey, setFilterBarKey] = useState(0)
  const canEdit = can('edit_curb_regulations')
  const isPublic = useEndpointQuery(getCurbSettings, { params: { region_id: regionId } }).data?.settings
    .isPublic
  const response = useMatchingRegulations(regionId, search)
  const createButton = (
    <Button
      component={Link}
      to={pagePath(regionId, 'regulationCreate')}
      leftSection={<IconFilePlus size={18} />}
    >
      {t('curb:regulations.create')}
    </Button>
  )
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.regulationsLibrary')}
        context={t('curb:regulations.context', { region: regionName })}
        actions={
          <>
            {canEdit ? (
              <Button
                variant="default"
                leftSection={<IconSettings size={18} />}
                onClick={() => setAreSettingsOpen(true)}
              >
                {t('curb:regulations.settings.open')}
              </Button>
            ) : null}
            {isPublic ? <PublicPageButton address={publicAddress(regionId, 'regulations')} /> : null}
            <DownloadRegulations regionId={regionId} />
            {canEdit ? createButton : null}
          </>
        }
      />
      <FilterBar
        key={filterBarKey}
        filters={getRegulationFilters(t)}
        state={search}
        onChange={(changes) => push({ ...changes, page: undefined })}
        onType={(changes) => replace({ ...changes, page: undefined })}
      />
      <Loaded
        query={response}
        isEmpty={(data) => data.total === 0}
        empty={
          isFiltered(search) ? (
            <NothingFound
              onClear={() => {
                setFilterBarKey(filterBarKey + 1)
                push(noFilters)
              }}
            />
          ) : (
            <NoRegulations canEdit={canEdit} button={createButton} />
          )
        }
      >
        {(data) => (
          <Table
            label={t('curb:regulations.table.label')}
            rows={data.items}
            columns={columns}
            rowKey={(regulation) => regulation.regulation_id}
            state={search}
            onStateChange={push}
            defaultSort={defaultOrder}
            server={{ total: data.total, sortKeys: regulationOrderKeys }}
            pageSize={regulationPageSize}
            maxHeight="none"
            isWrapped
            rowMenu={(regulation) =>
              getRegulationMenu(t, regulation, canEdit, (action, target) =>
                setDialog({ action, regulation: target }),
              )
            }
          />
        )}
      </Loaded>
      {dialog ? (
        <RegulationDialog
          action={dialog.action}
          regulation={dialog.regulation}
          timezone={timezone}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {areSettingsOpen ? (
        <CurbSettingsDialog regionId={regionId} onClose={() => setAreSettingsOpen(false)} />
      ) : null}
    </ReadingPage>
  )
}

/** Returns the page of regulations that match the filters. */
const useMatchingRegulations = (regionId: string, search: RegulationsSearch) =>
  useEndpointQuery(
    filterCurbPolicies,
    {
      params: { region_id: regionId },
      body: {
        text: search.search ?? '',
        statuses: search.statuses ?? [],
        activities: search.activities ?? [],
        user_classes: search.user_classes ?? [],
        purposes: search.purposes ?? [],
        is_paid: search.paid === undefined ? null : search.paid === 'yes',
        sort: (search.sort ?? defaultOrder) as RegulationOrder,
        page: search.page ?? 1,
        size: search.size ?? regulationPageSize,
      },
    },
    // Other users may save regulations in the meantime.
    { staleTime: 0, placeholderData: keepPreviousData },
  )

/** Returns the filters of the library. */
function getRegulationFilters(t: TFunction): Filter[] {
  const toOptions = <T extends string>(values: readonly T[], format: (value: T) => string) =>
    values.map((value) => ({ value, text: format(value) }))
  return [
    { kind: 'search', key: 'search', label: t('curb:regulations.filter.search') },
    {
      kind: 'choices',
      key: 'statuses',
      label: t('curb:regulations.filter.statuses'),
      all: t('curb:regulations.filter.allStatuses'),
      options: toOptions(PolicyStatus.options, (status) => t(`policies:status.${status}`)),
    },
    {
      kind: 'choices',
      key: 'activities',
      label: t('curb:regulations.filter.activities'),
      all: t('curb:regulations.filter.allActivities'),
      options: toOptions(curbActivities, (activity) => formatActivity(t, activity)),
    },
    {
      kind: 'choices',
      key: 'user_classes',
      label: t('curb:regulations.filter.classes'),
      all: t('curb:regulations.filter.allClasses'),
      options: toOptions(wellKnownUserClasses, (name) => formatUserClass(t, name)),
    },
    {
      kind: 'choices',
      key: 'purposes',
      label: t('curb:regulations.filter.purposes'),
      all: t('curb:regulations.filter.allPurposes'),
      options: toOptions(wellKnownPurposes, (name) => formatPurpose(t, name)),
    },
    {
      kind: 'choice',
      key: 'paid',
      label: t('curb:regulations.filter.paid'),
      none: t('curb:regulations.filter.anyPrice'),
      options: [
        { value: 'yes', text: t('curb:regulations.filter.paidYes') },
        { value: 'no', text: t('curb:regulations.filter.paidNo') },
      ],
    },
  ]
}

/** Shown when no regulation matches the filters. */
function NothingFound({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('curb:regulations.nothingFound')}
      icon={<IconFilterOff />}
      action={
        <Button variant="default" onClick={onClear}>
          {t('curb:regulations.clearFilters')}
        </Button>
      }
    >
      {t('curb:regulations.nothingFoundText')}
    </EmptyState>
  )
}

/** Shown when the region has no regulations. */
function NoRegulations({ canEdit, button }: { canEdit: boolean; button: ReactNode }) {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('curb:regulations.empty')} icon={<IconFileOff />} action={canEdit ? button : null}>
      {t(canEdit ? 'curb:regulations.emptyEditor' : 'curb:regulations.emptyReader')}
    </EmptyState>
  )
}
