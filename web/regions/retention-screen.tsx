import { Button, Group, Select } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listRegions } from '#contract/regions.ts'
import { getRetention, type Retention, runRetention } from '#contract/retention.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { searchParams, tableParams, text } from '#web/shell/search-params.ts'
import { useCityZone } from '#web/shell/use-city-zone.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { RetentionDaysForm } from './retention-days-form.tsx'
import { HoldPanel } from './retention-hold.tsx'
import { RetentionRuns } from './retention-runs.tsx'

const retentionSearch = searchParams({ region: text(), ...tableParams })
/** Reloaded at this interval, because runs are listed when they end. */
const refreshMs = 10_000

/** How many days the records of a region are stored, its legal hold, and what was removed. */
export function RetentionScreen() {
  const { t } = useTranslation()
  const { search, push } = useSearchState(retentionSearch)
  const timezone = useCityZone()
  const regions = useEndpointQuery(listRegions, { query: { size: 300 } })
  const regionId = search.region ?? regions.data?.items[0]?.regionId
  const name = regions.data?.items.find((region) => region.regionId === regionId)?.text ?? ''
  return (
    <AdminPage page="retention" context={t('regions:retention.context')} timezone={timezone}>
      <Select
        label={t('regions:retention.region')}
        data={regions.data?.items.map((region) => ({ value: region.regionId, label: region.text })) ?? []}
        value={regionId ?? null}
        allowDeselect={false}
        searchable
        maw={360}
        mb="md"
        onChange={(value) => push({ region: value ?? undefined })}
      />
      {regionId === undefined ? null : (
        <RegionRetention key={regionId} regionId={regionId} name={name} timezone={timezone} />
      )}
    </AdminPage>
  )
}

function RegionRetention({ regionId, name, timezone }: { regionId: string; name: string; timezone: string }) {
  const retention = useEndpointQuery(
    getRetention,
    { params: { region_id: regionId } },
    { staleTime: 0, refetchInterval: refreshMs },
  )
  return (
    <Loaded query={retention} dim={false}>
      {(loadedRetention) => (
        <>
          <HoldPanel regionId={regionId} name={name} retention={loadedRetention} timezone={timezone} />
          <RetentionDaysForm
            key={JSON.stringify(loadedRetention.categories)}
            regionId={regionId}
            retention={loadedRetention}
            actions={<RunNow regionId={regionId} name={name} retention={loadedRetention} />}
          />
          <RetentionRuns runs={loadedRetention.runs} timezone={timezone} />
        </>
      )}
    </Loaded>
  )
}

/** Starts the removal of old rows without waiting for its schedule. */
function RunNow({ regionId, name, retention }: { regionId: string; name: string; retention: Retention }) {
  const { t } = useTranslation()
  const [isConfirming, setIsConfirming] = useState(false)
  const runNow = useEndpointMutation(runRetention, [getRetention])
  const hasDays = retention.categories.some(
    ({ days, set_in: setIn }) => setIn === 'retention' && days !== null,
  )
  return (
    <Group>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={18} />}
        disabled={!hasDays || retention.hold !== null}
        onClick={() => setIsConfirming(true)}
      >
        {t('regions:retention.run')}
      </Button>
      {isConfirming ? (
        <ConfirmDialog
          title={t('regions:retention.runTitle', { name })}
          action={t('regions:retention.runAction')}
          isPending={runNow.isPending}
          error={runNow.error}
          onConfirm={() =>
            runNow.mutate(
              { params: { region_id: regionId } },
              {
                onSuccess: () => {
                  showToast(t('regions:retention.started'))
                  setIsConfirming(false)
                },
              },
            )
          }
          onClose={() => setIsConfirming(false)}
        >
          {t('regions:retention.runText')}
        </ConfirmDialog>
      ) : null}
    </Group>
  )
}
