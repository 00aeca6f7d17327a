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

/** Selects policies to import from a source. By default, not expired ones and updates of imported ones. */
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
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        importable
          .filter((policy) => !policy.is_expired && policy.here === null)
          .map((policy) => policy.policy_id),
      ),
  )
  const toggle = (id: string): void =>
    setSelectedIds(
      new Set(
        selectedIds.has(id)
          ? [...selectedIds].filter((selectedId) => selectedId !== id)
          : [...selectedIds, id],
      ),
    )
  const selectedByAll = policies.filter(isSelectedByAll)
  const areAllSelected =
    selectedByAll.length > 0 && selectedByAll.every(({ policy_id: id }) => selectedIds.has(id))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (selectedIds.size)
          onImport(
            agency.trim(),
            policies.filter(({ policy_id: id }) => selectedIds.has(id)),
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
              checked={areAllSelected}
              indeterminate={selectedIds.size > 0 && !areAllSelected}
              onChange={() =>
                setSelectedIds(new Set(areAllSelected ? [] : selectedByAll.map(({ policy_id: id }) => id)))
              }
            />
          </>
        ) : null}
        {policies.length && !importable.length ? (
          <Text c="dimmed">{t('policies:import.nothingNew')}</Text>
        ) : null}
        <ul className={styles['list']} aria-label={t('policies:import.list')}>
          {policies.map((policy) => (
            <ImportEntry
              key={policy.policy_id}
              policy={policy}
              isSelected={selectedIds.has(policy.policy_id)}
              onToggle={() => toggle(policy.policy_id)}
            />
          ))}
        </ul>
        {error ? <FailedState title={t('policies:import.notImported')} error={error} /> : null}
      </Stack>
      <DialogFoot
        action={t('policies:import.act', { count: selectedIds.size })}
        isPending={isPending}
        isDisabled={selectedIds.size === 0}
        onCancel={onBack}
      />
    </form>
  )
}
