import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FoundPolicy, PolicyImportPreview } from '#contract/policy-import.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { type DisplayableError, FailedState } from '#web/kit/failed-state.tsx'
import { ImportEntry, isSelectedByAll, canImport } from './import-entry.tsx'
import styles from './import.module.css'

interface Props {
  preview: PolicyImportPreview
  isPending: boolean
  error: DisplayableError | null
  onBack: () => void
  onImport: (agency: string, chosen: FoundPolicy[]) => void
}

/**
 * Selects the policies of a source to import. Expired policies, and updates of imported ones, are not
 * selected by default.
 */
export function ImportChoice({
  preview: { policies, version, suggested_agency: suggested },
  isPending,
  error,
  onBack,
  onImport,
}: Props) {
  const { t } = useTranslation()
  const importable = policies.filter(canImport)
  const [agency, setAgency] = useState(suggested)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        importable
          .filter(({ is_expired: expired, here }) => !expired && here === null)
          .map(({ policy_id: id }) => id),
      ),
  )
  const toggle = (id: string): void =>
    setChosen(new Set(chosen.has(id) ? [...chosen].filter((chosenId) => chosenId !== id) : [...chosen, id]))
  const selectedByAll = policies.filter(isSelectedByAll)
  const isAll = selectedByAll.length > 0 && selectedByAll.every(({ policy_id: id }) => chosen.has(id))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.size)
          onImport(
            agency.trim(),
            policies.filter(({ policy_id: id }) => chosen.has(id)),
          )
      }}
    >
      <Stack gap="sm">
        <div className={styles['head']}>
          <Text fw={600}>
            {policies.length
              ? t('policies:import.found', { count: policies.length, version })
              : t('policies:import.none')}
          </Text>
          <Button variant="subtle" size="xs" leftSection={<IconChevronLeft size={16} />} onClick={onBack}>
            {t('policies:import.back')}
          </Button>
        </div>
        {importable.length ? (
          <>
            <TextInput
              data-autofocus
              required
              maxLength={200}
              label={t('policies:import.agency')}
              description={t('policies:import.agencyHint')}
              value={agency}
              onChange={({ currentTarget }) => setAgency(currentTarget.value)}
            />
            <Checkbox
              disabled={selectedByAll.length === 0}
              label={t('policies:import.all')}
              checked={isAll}
              indeterminate={chosen.size > 0 && !isAll}
              onChange={() => setChosen(new Set(isAll ? [] : selectedByAll.map(({ policy_id: id }) => id)))}
            />
          </>
        ) : policies.length ? (
          <Text c="dimmed">{t('policies:import.nothingNew')}</Text>
        ) : null}
        <ul className={styles['list']} aria-label={t('policies:import.list')}>
          {policies.map((policy) => (
            <ImportEntry
              key={policy.policy_id}
              policy={policy}
              isChosen={chosen.has(policy.policy_id)}
              onToggle={() => toggle(policy.policy_id)}
            />
          ))}
        </ul>
        {error ? <FailedState title={t('policies:import.notImported')} error={error} /> : null}
      </Stack>
      <DialogFoot
        action={t('policies:import.act', { count: chosen.size })}
        isPending={isPending}
        isIdle={chosen.size === 0}
        onCancel={onBack}
      />
    </form>
  )
}
