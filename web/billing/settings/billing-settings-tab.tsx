import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { getBillingSettings } from '#contract/billing-settings.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { PayerSettingsPart } from './payer-settings-part.tsx'
import { SettingsForm } from './settings-form.tsx'

/** The invoice settings of the region, for administrators, and of each operator. */
export function BillingSettingsTab() {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const { user, can } = useMe()
  const isAdmin = can('is_admin')
  const settings = useEndpointQuery(
    getBillingSettings,
    { params: { region_id: regionId } },
    { enabled: isAdmin },
  )
  if (user.operators !== null || !(isAdmin || can('draft_invoices')))
    return <EmptyState title={t('billing:settings.notYours')} />
  return (
    <Stack gap="lg">
      {isAdmin ? (
        <Loaded query={settings} dim={false}>
          {(data) => <SettingsForm settings={data} />}
        </Loaded>
      ) : null}
      {can('draft_invoices') ? <PayerSettingsPart /> : null}
    </Stack>
  )
}
