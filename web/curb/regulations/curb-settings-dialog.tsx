import { NumberInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wellKnownPeriods } from '#contract/cds.ts'
import { changeCurbSettings, type CurbSettings, getCurbSettings } from '#contract/curb-settings.ts'
import type { LocalDay } from '#contract/period.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { DaysField } from '#web/kit/dates/days-field.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import { EditableRows } from '#web/kit/table/editable-rows.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { parseTypedNumber } from '#web/kit/typed-number.ts'
import { useRegion } from '#web/shell/region.tsx'
import { formatDesignatedPeriod } from '../rule-text.ts'
import styles from './regulations.module.css'

interface Props {
  regionId: string
  onClose: () => void
}

const cmPerFoot = 30.48
const minVehicleCm = 200
const maxVehicleCm = 3000

interface Period {
  name: string
  days: readonly LocalDay[]
}

/** Settings of the curb: vehicle length, days of designated periods, public map. */
export function CurbSettingsDialog({ regionId, onClose }: Props) {
  const { t } = useTranslation()
  const response = useEndpointQuery(
    getCurbSettings,
    { params: { region_id: regionId } },
    { staleTime: 0, gcTime: 0 },
  )
  if (!response.data)
    return (
      <Dialog title={t('curb:regulations.settings.title')} onClose={onClose}>
        <Loaded query={response}>{() => null}</Loaded>
      </Dialog>
    )
  return <SettingsForm regionId={regionId} stored={response.data.settings} onClose={onClose} />
}

function SettingsForm({ regionId, stored, onClose }: Props & { stored: CurbSettings }) {
  const { t } = useTranslation()
  const { isMetric, timezone } = useRegion()
  const today = useToday(timezone)
  const cmPerUnit = isMetric ? 100 : cmPerFoot
  // Fields that another user saves in the meantime are not overwritten.
  const [startSettings] = useState(stored)
  const [length, setLength] = useState<number | ''>(
    Number((startSettings.assumedVehicleLength / cmPerUnit).toFixed(2)),
  )
  const [periods, setPeriods] = useState(() => {
    const names = [...new Set([...wellKnownPeriods, ...Object.keys(startSettings.designatedPeriods)])]
    return names.map((name): Period => ({ name, days: startSettings.designatedPeriods[name] ?? [] }))
  })
  const [isPublic, setIsPublic] = useState(startSettings.isPublic)
  const save = useEndpointMutation(changeCurbSettings, [getCurbSettings])
  const centimeters = length === '' ? 0 : Math.round(length * cmPerUnit)
  const isLengthValid = centimeters >= minVehicleCm && centimeters <= maxVehicleCm
  const isValid = isLengthValid && periods.every(({ name, days }) => name.trim() !== '' || days.length === 0)
  const submit = (): void => {
    if (!isValid) return
    const designatedPeriods = Object.fromEntries(
      periods.flatMap(({ name, days }) => (days.length ? [[name.trim(), [...days]]] : [])),
    )
    save.mutate(
      {
        params: { region_id: regionId },
        body: { assumedVehicleLength: centimeters, designatedPeriods, isPublic, if_settings: startSettings },
      },
      {
        onSuccess: () => {
          showToast(t('curb:regulations.settings.saved'))
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title={t('curb:regulations.settings.title')}
      size={560}
      action={t('kit:save')}
      isPending={save.isPending}
      isDisabled={!isValid}
      error={save.error}
      errorTitle={t('curb:regulations.settings.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <NumberInput
        label={t(isMetric ? 'curb:regulations.settings.lengthM' : 'curb:regulations.settings.lengthFt')}
        description={t('curb:regulations.settings.lengthHint')}
        value={length}
        min={0}
        decimalScale={2}
        error={isLengthValid ? null : t('curb:regulations.settings.lengthFault')}
        onChange={(value) => setLength(parseTypedNumber(value) ?? '')}
      />
      <div>
        <Text fw={600}>{t('curb:regulations.settings.periods')}</Text>
        <Text size="sm" c="dimmed" mb="xs">
          {t('curb:regulations.settings.periodsHint')}
        </Text>
        <EditableRows
          rows={periods}
          createRow={(): Period => ({ name: '', days: [] })}
          canRemove
          rowLabel={(row) => t('curb:regulations.settings.period', { row })}
          removeLabel={(row) => t('curb:regulations.settings.removePeriod', { row })}
          addLabel={t('curb:regulations.settings.addPeriod')}
          onChange={setPeriods}
          renderFields={({ name, days }, change) => (
            <div className={styles['period']}>
              <TextInput
                label={t('curb:regulations.settings.periodName')}
                description={
                  formatDesignatedPeriod(t, name) === name ? undefined : formatDesignatedPeriod(t, name)
                }
                value={name}
                maxLength={200}
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
              <DaysField
                label={t('curb:regulations.settings.days')}
                days={days}
                today={today}
                onChange={(next) => change({ days: next })}
              />
            </div>
          )}
        />
      </div>
      <SettingSwitch
        label={t('curb:regulations.settings.public')}
        description={t('curb:regulations.settings.publicHint')}
        checked={isPublic}
        onChange={(event) => setIsPublic(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
