import { Button, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Policy, PolicyFields } from '#contract/policy.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import styles from './editor.module.css'
import { fieldName, formatField } from './field-text.ts'
import { findConflicts, defaultSide, mergePolicy, type Side } from './merge-policy.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

interface Props {
  /** The policy at the start of editing. */
  base: PolicyFields
  /** The policy as edited by this user. */
  mine: PolicyFields
  /** The current revision; null if another user deleted it. */
  theirs: Policy | null
  context: PolicyTextContext
  timezone: string
  isPending: boolean
  /** Saves the selected values over the other revision, or as a new policy if that was deleted. */
  onSave: (merged: PolicyFields) => void
  onClose: () => void
}

/** Resolves a conflict between two users: for each field that the other changed, this user chooses a value. */
export function ConflictDialog({ base, mine, theirs, context, timezone, isPending, onSave, onClose }: Props) {
  const { t } = useTranslation()
  const conflicts = theirs ? findConflicts(base, mine, theirs) : []
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(
    () => new Map(conflicts.map((conflict) => [conflict.field, defaultSide(conflict)])),
  )
  if (!theirs)
    return (
      <Dialog title={t('policies:conflict.title')} onClose={onClose}>
        <Text>{t('policies:conflict.deleted')}</Text>
        <div className={styles['dialogFoot']}>
          <Button variant="default" onClick={onClose}>
            {t('kit:cancel')}
          </Button>
          <Button loading={isPending} onClick={() => onSave(mine)}>
            {t('policies:conflict.saveNew')}
          </Button>
        </div>
      </Dialog>
    )
  const explanation = t('policies:conflict.text', {
    who: theirs.modified_by_email ?? t('policies:conflict.someone'),
    when: formatDateTime(theirs.modified_time, timezone),
  })
  return (
    <Dialog title={t('policies:conflict.title')} size={620} onClose={onClose}>
      <Text mb="sm">{explanation}</Text>
      {conflicts.length === 0 ? <Text mb="sm">{t('policies:conflict.nothing')}</Text> : null}
      <ul className={styles['conflicts']}>
        {conflicts.map(({ field, ...values }) => {
          const name = fieldName(field, context)
          const textKeysAndValues = [
            ['baseIs', values.base],
            ['theirsIs', values.theirs],
            ['mineIs', values.mine],
          ] as const
          return (
            <li key={field} className={styles['conflict']}>
              <Text fw={600} mb={4}>
                {name}
              </Text>
              <dl>
                {textKeysAndValues.map(([key, value]) => (
                  <div key={key} style={{ display: 'contents' }}>
                    <dt>{t(`policies:conflict.${key}`)}</dt>
                    <dd>{formatField(field, value, context)}</dd>
                  </div>
                ))}
              </dl>
              <SegmentedControl
                size="xs"
                aria-label={t('policies:conflict.of', { field: name })}
                value={sides.get(field) ?? 'mine'}
                data={(['theirs', 'mine'] as const).map((side) => ({
                  value: side,
                  label: t(`policies:conflict.${side}`),
                }))}
                onChange={(side) =>
                  setSides(new Map([...sides, [field, side === 'theirs' ? 'theirs' : 'mine']]))
                }
              />
            </li>
          )
        })}
      </ul>
      <DialogFoot
        action={t('policies:conflict.save')}
        isPending={isPending}
        onCancel={onClose}
        onAction={() => onSave(mergePolicy(mine, theirs, sides))}
      />
    </Dialog>
  )
}
