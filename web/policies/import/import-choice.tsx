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
  onImport: (agency: string, selected: FoundPolicy[]) => void
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
  const [selected, setSelected] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        importable
          .filter(({ is_expired: expired, here }) => !expired && here === null)
          .map(({ policy_id: id }) => id),
      ),
  )
  const toggle = (id: string): void =>
    setSelected(
      new Set(selected.has(id) ? [...selected].filter((selectedId) => selectedId !== id) : [...selected, id]),
    )
  const selectedByAll = policies.filter(isSelectedByAll)
  const isAll = selectedByAll.length > 0 && selectedByAll.every(({ policy_id: id }) => selected.has(id))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (selected.size)
          onImport(
            agency.trim(),
            policies.filter(({ policy_id: id }) => selected.has(id)),
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
              indeterminate={selected.size > 0 && !isAll}
              onChange={() => setSelected(new Set(isAll ? [] : selectedByAll.map(({ policy_id: id }) => id)))}
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
              isSelected={selected.has(policy.policy_id)}
              onToggle={() => toggle(policy.policy_id)}
            />
          ))}
        </ul>
        {error ? <FailedState title={t('policies:import.notImported')} error={error} /> : null}
      </Stack>
      <DialogFoot
        action={t('policies:import.act', { count: selected.size })}
        isPending={isPending}
        isIdle={selected.size === 0}
        onCancel={onBack}
      />
    </form>
  )
}
