import { Button, Group, Text, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedOperator } from '#contract/managed-operators.ts'
import type { Region } from '#contract/regions.ts'
import { getRequirements, maxPrograms, type Requirements, saveRequirements } from '#contract/requirements.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { UnsavedGuard } from '#web/kit/unsaved-guard.tsx'
import { toDraft, emptyProgram, type ProgramDraft, findProgramIssues, toProgram } from './program-draft.ts'
import { ProgramFields } from './program-fields.tsx'
import styles from './requirements.module.css'

interface Props {
  region: Region
  requirements: Requirements
  operators: readonly ManagedOperator[]
}

const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** All programs of a region, which are saved together. */
export function RequirementsForm({ region, requirements, operators }: Props) {
  const { t } = useTranslation()
  const [stored, setStored] = useState(requirements)
  const [drafts, setDrafts] = useState<readonly ProgramDraft[]>(() => stored.programs.map(toDraft))
  const [hasTriedToSave, setHasTriedToSave] = useState(false)
  const save = useEndpointMutation(saveRequirements, [getRequirements])
  const isChanged = !isSameJson(drafts.map(toProgram), stored.programs)
  const issues = drafts.map(findProgramIssues)
  const loadStored = (current: Requirements) => {
    setStored(current)
    setDrafts(current.programs.map(toDraft))
    setHasTriedToSave(false)
  }
  const replaceDraft = (index: number, draft: ProgramDraft) =>
    setDrafts(drafts.map((candidate, position) => (position === index ? draft : candidate)))
  const submit = () => {
    setHasTriedToSave(true)
    if (issues.some(({ size }) => size > 0)) return
    save.mutate(
      {
        params: { region_id: region.regionId },
        body: { programs: drafts.map(toProgram), if_file_version: stored.file_version },
      },
      { onSuccess: loadStored },
    )
  }
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {drafts.map((draft, index) => (
        // Programs have no name, so they are labeled by position.
        <ProgramSection
          key={index}
          number={index + 1}
          draft={draft}
          issues={hasTriedToSave ? (issues[index] ?? new Map()) : new Map()}
          operators={operators}
          regionName={region.text}
          onChange={(changed) => replaceDraft(index, changed)}
          onRemove={
            drafts.length > 1 ? () => setDrafts(drafts.filter((_, position) => position !== index)) : null
          }
        />
      ))}
      {drafts.length < maxPrograms ? (
        <div className={styles['add']}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setDrafts([...drafts, emptyProgram()])}
          >
            {t('policies:requirements.add')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('policies:requirements.addHint')}
          </Text>
        </div>
      ) : null}
      <SaveBar
        save={save}
        isChanged={isChanged}
        isInvalid={hasTriedToSave && issues.some(({ size }) => size > 0)}
        onUndo={() => loadStored(stored)}
        onLoadStored={loadStored}
      />
      <UnsavedGuard
        hasUnsavedChanges={() => isChanged}
        title={t('regions:leave.title')}
        action={t('regions:leave.action')}
        text={t('policies:requirements.leave')}
      />
    </form>
  )
}

interface ProgramSectionProps extends ComponentProps<typeof ProgramFields> {
  number: number
  /** Null for the only program. */
  onRemove: (() => void) | null
}

function ProgramSection({
  number,
  draft,
  issues,
  operators,
  regionName,
  onChange,
  onRemove,
}: ProgramSectionProps) {
  const { t } = useTranslation()
  return (
    <section className={styles['program']} aria-label={t('policies:requirements.program', { number })}>
      {onRemove ? (
        <div className={styles['head']}>
          <Title order={2}>{draft.description || t('policies:requirements.program', { number })}</Title>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={16} />}
            aria-label={t('policies:requirements.removeOf', { number })}
            onClick={onRemove}
          >
            {t('policies:requirements.remove')}
          </Button>
        </div>
      ) : null}
      <ProgramFields
        draft={draft}
        issues={issues}
        operators={operators}
        regionName={regionName}
        onChange={onChange}
      />
    </section>
  )
}

interface SaveBarProps {
  save: ReturnType<typeof useEndpointMutation<typeof saveRequirements>>
  isChanged: boolean
  /** Whether invalid fields prevent saving. */
  isInvalid: boolean
  onUndo: () => void
  /** Replaces the draft with what somebody else saved. */
  onLoadStored: (requirements: Requirements) => void
}

/** The buttons below the programs, and the result of saving. */
function SaveBar({ save, isChanged, isInvalid, onUndo, onLoadStored: onTake }: SaveBarProps) {
  const { t } = useTranslation()
  const savedKey = save.isSuccess ? 'saved' : 'unchanged'
  const newer =
    save.error?.status === 409 ? (save.error.problem?.current as Requirements | undefined) : undefined
  return (
    <div className={styles['foot']}>
      {save.error ? <FailedState error={save.error} title={t('policies:requirements.failed')} /> : null}
      {newer ? (
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              save.reset()
              onTake(newer)
            }}
          >
            {t('policies:requirements.takeTheirs')}
          </Button>
        </div>
      ) : null}
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text
          role="status"
          size="sm"
          className={styles['result'] ?? ''}
          data-saved={(save.isSuccess && !isChanged) || undefined}
        >
          {t(isInvalid ? 'policies:unresolved' : `policies:requirements.${isChanged ? 'changed' : savedKey}`)}
        </Text>
        <Group gap="sm" wrap="nowrap">
          <Button
            variant="default"
            disabled={!isChanged || save.isPending}
            onClick={() => {
              save.reset()
              onUndo()
            }}
          >
            {t('policies:requirements.undo')}
          </Button>
          <Button type="submit" disabled={!isChanged} loading={save.isPending}>
            {t('kit:save')}
          </Button>
        </Group>
      </Group>
    </div>
  )
}
