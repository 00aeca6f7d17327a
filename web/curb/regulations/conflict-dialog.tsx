import { Button, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RegulationDetail } from '#contract/curb-regulations.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { formatRegulationField } from './field-text.ts'
import {
  findConflicts,
  type DraftField,
  toDraft,
  mergeDrafts,
  type RegulationDraft,
  readField,
} from './regulation-draft.ts'
import styles from './regulations.module.css'
import type { TextContext } from '../rule-text.ts'

interface Props {
  base: RegulationDraft
  mine: RegulationDraft
  /** What another editor saved; null if they deleted it. */
  theirs: RegulationDetail | null
  context: TextContext
  isPending: boolean
  /** `replaced` is the stored regulation that the draft replaces; null if it was deleted. */
  onSave: (merged: RegulationDraft, replaced: RegulationDetail | null) => void
  onClose: () => void
}

/** Resolves a conflict between two editors: the user chooses for each part which version is saved. */
export function ConflictDialog({ base, mine, theirs, context, isPending, onSave, onClose }: Props) {
  const { t } = useTranslation()
  const theirDraft = theirs && toDraft(theirs)
  const conflicts = theirDraft ? findConflicts(base, mine, theirDraft) : []
  /** Fields of which their version is saved. */
  const [theirFields, setTheirFields] = useState<ReadonlySet<DraftField>>(
    () => new Set(conflicts.filter(({ isBoth }) => !isBoth).map(({ field }) => field)),
  )
  if (!theirs || !theirDraft)
    return (
      <Dialog title={t('policies:conflict.title')} onClose={onClose}>
        <Text>{t('curb:regulations.conflict.deleted')}</Text>
        <div className={styles['dialogFoot']}>
          <Button variant="default" onClick={onClose}>
            {t('kit:cancel')}
          </Button>
          <Button loading={isPending} onClick={() => onSave(mine, null)}>
            {t('policies:conflict.saveNew')}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t('policies:conflict.title')} size={620} onClose={onClose}>
      <Text mb="sm">
        {t('policies:conflict.text', {
          who: theirs.modified_by_email ?? t('policies:conflict.someone'),
          when: formatDateTime(theirs.modified_time, context.timezone),
        })}
      </Text>
      <ul className={styles['conflicts']}>
        {conflicts.map(({ field }) => {
          const name = t(`curb:regulations.field.${field}`)
          const versions = [
            ['theirsIs', theirDraft],
            ['mineIs', mine],
          ] as const
          return (
            <li key={field}>
              <Text fw={600}>{name}</Text>
              <dl>
                {versions.map(([key, draft]) => (
                  <div key={key}>
                    <dt>{t(`policies:conflict.${key}`)}</dt>
                    <dd>{formatRegulationField(context, field, readField(draft, field))}</dd>
                  </div>
                ))}
              </dl>
              <SegmentedControl
                size="xs"
                aria-label={t('policies:conflict.of', { field: name })}
                value={theirFields.has(field) ? 'theirs' : 'mine'}
                data={(['theirs', 'mine'] as const).map((side) => ({
                  value: side,
                  label: t(`policies:conflict.${side}`),
                }))}
                onChange={(side) => {
                  const next = new Set(theirFields)
                  if (side === 'theirs') next.add(field)
                  else next.delete(field)
                  setTheirFields(next)
                }}
              />
            </li>
          )
        })}
      </ul>
      <DialogFoot
        action={t('policies:conflict.save')}
        isPending={isPending}
        onCancel={onClose}
        onAction={() => onSave(mergeDrafts(mine, theirDraft, [...theirFields]), theirs)}
      />
    </Dialog>
  )
}
