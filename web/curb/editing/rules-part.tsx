import { ActionIcon, Button, Select, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Regulation } from '#contract/curb-regulations.ts'
import { formatInteger } from '#web/kit/format.ts'
import styles from './editing-zones.module.css'
import type { EditAction } from './edit-state.ts'
import type { Subject } from './zone-operations.ts'

interface Props {
  subjects: readonly Subject[]
  published: readonly Regulation[]
  dispatch: (action: EditAction) => void
}

/** The regulations of the selected zones, with controls to attach and detach them. */
export function RulesPart({ subjects, published, dispatch }: Props) {
  const { t } = useTranslation()
  const counts = new Map<string, number>()
  for (const { now } of subjects)
    for (const id of now.curb_policy_ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  const nameByPolicy = new Map(
    published.map((regulation) => [regulation.published_policy_id, regulation.name]),
  )
  const attach = (id: string): void => dispatch({ type: 'change', change: { attach: [id] } })
  return (
    <div role="group" aria-label={t('curb:editing.rules.title')} className={styles['rules']}>
      <Text size="sm" fw={500}>
        {t('curb:editing.rules.title')}
      </Text>
      {counts.size === 0 ? (
        <Text size="sm" c="dimmed">
          {t('curb:editing.rules.none')}
        </Text>
      ) : (
        <ul className={styles['ruleList']}>
          {[...counts].map(([id, count]) => {
            const name = nameByPolicy.get(id) ?? id
            return (
              <li key={id}>
                <span>
                  {name}
                  {count < subjects.length ? (
                    <Text size="xs" c="dimmed">
                      {t('curb:editing.rules.some', {
                        some: formatInteger(count),
                        all: formatInteger(subjects.length),
                      })}
                    </Text>
                  ) : null}
                </span>
                {count < subjects.length ? (
                  <Button size="compact-xs" variant="default" onClick={() => attach(id)}>
                    {t('curb:editing.rules.toAll')}
                  </Button>
                ) : null}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('curb:editing.rules.detach', { name })}
                  onClick={() => dispatch({ type: 'change', change: { detach: [id] } })}
                >
                  <IconX size={16} />
                </ActionIcon>
              </li>
            )
          })}
        </ul>
      )}
      <Select
        aria-label={t('curb:editing.rules.attach')}
        placeholder={t('curb:editing.rules.attach')}
        searchable
        nothingFoundMessage={t('curb:editing.rules.nothingFound')}
        data={published
          .filter(({ published_policy_id: id }) => id !== null && counts.get(id) !== subjects.length)
          .map((regulation) => ({
            value: regulation.published_policy_id ?? '',
            label: regulation.name || regulation.id,
          }))}
        value={null}
        onChange={(id) => {
          if (id !== null) attach(id)
        }}
      />
    </div>
  )
}
