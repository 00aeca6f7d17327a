import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  changePricingSettings,
  getPriceProposal,
  getPricingSettings,
  type PricingSettings,
} from '#contract/curb-price-proposals.ts'
import { toMajor, toMinor } from '#contract/money.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import { useRegion } from '#web/shell/region.tsx'

interface Props {
  regionId: string
  onClose: () => void
}

/** The council's limits, the notice period, and who approves proposals. */
export function PricingSettingsDialog({ regionId, onClose }: Props) {
  const { t } = useTranslation()
  // The form starts from the stored settings, never from a cached answer.
  const response = useEndpointQuery(
    getPricingSettings,
    { params: { region_id: regionId } },
    { staleTime: 0, gcTime: 0 },
  )
  if (response.data) return <SettingsForm regionId={regionId} stored={response.data} onClose={onClose} />
  return (
    <Dialog title={t('curb:pricing.settings.title')} onClose={onClose}>
      {/* Shows loading and errors only. */}
      <Loaded query={response}>{() => null}</Loaded>
    </Dialog>
  )
}

function SettingsForm({ regionId, stored, onClose }: Props & { stored: PricingSettings }) {
  const { t } = useTranslation()
  const { currencyCode: currency } = useRegion()
  const [draft, setDraft] = useState(stored)
  const save = useEndpointMutation(changePricingSettings, [getPricingSettings, getPriceProposal])
  const change = (changes: Partial<PricingSettings>): void => setDraft({ ...draft, ...changes })
  const renderMoneyField = (key: 'floor' | 'ceiling' | 'max_step') => {
    const value = draft[key]
    return (
      <MoneyInput
        label={t(`curb:pricing.settings.${key}`)}
        currency={currency}
        value={value === null ? null : toMajor(value, currency)}
        onChange={(amount) => change({ [key]: amount === null ? null : toMinor(amount, currency) })}
      />
    )
  }
  return (
    <FormDialog
      title={t('curb:pricing.settings.title')}
      action={t('kit:save')}
      isPending={save.isPending}
      error={save.error}
      errorTitle={t('curb:pricing.settings.failed')}
      onSubmit={() =>
        save.mutate({ params: { region_id: regionId }, body: draft }, { onSuccess: () => onClose() })
      }
      onClose={onClose}
    >
      {renderMoneyField('floor')}
      {renderMoneyField('ceiling')}
      {renderMoneyField('max_step')}
      <NumberInput
        label={t('curb:pricing.settings.min_days_between')}
        min={0}
        allowDecimal={false}
        value={draft.min_days_between ?? ''}
        onChange={(value) => change({ min_days_between: typeof value === 'number' ? value : null })}
      />
      <NumberInput
        label={t('curb:pricing.settings.notice_days')}
        min={0}
        max={365}
        allowDecimal={false}
        value={draft.notice_days}
        onChange={(value) => change({ notice_days: Number(value) || 0 })}
      />
      <SettingSwitch
        label={t('curb:pricing.settings.needs_second_person')}
        description={t('curb:pricing.settings.secondHint')}
        checked={draft.needs_second_person}
        onChange={(event) => change({ needs_second_person: event.currentTarget.checked })}
      />
      <SettingSwitch
        label={t('curb:pricing.settings.is_public')}
        description={t('curb:pricing.settings.publicHint')}
        checked={draft.is_public}
        onChange={(event) => change({ is_public: event.currentTarget.checked })}
      />
    </FormDialog>
  )
}
