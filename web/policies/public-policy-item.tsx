import { Button, Text, Title } from '@mantine/core'
import { IconMap2 } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicStanding } from './public-standing.ts'
import styles from './public.module.css'

interface Props {
  id: string
  name: string
  standing: PublicStanding
  when: string
  description: string | null
  words: readonly string[]
  isShown: boolean
  /** Null: all are shown again. */
  onShow: (id: string | null) => void
}

/** One published policy. It is drawn anew only when something of it changes: there may be hundreds. */
export const PublicPolicyItem = memo(function PublicPolicyItem({
  id,
  name,
  standing,
  when,
  description,
  words: [rule, ...conditions],
  isShown,
  onShow,
}: Props) {
  const { t } = useTranslation()
  return (
    <li className={styles['policy']} data-shown={isShown || undefined}>
      <Title order={3} className={styles['name'] ?? ''}>
        {name}
      </Title>
      <p className={styles['when']}>
        <span className={styles['mark']} data-standing={standing}>
          {t(`policies:public.standing.${standing}`)}
        </span>{' '}
        {when}
      </p>
      <Text className={styles['rule'] ?? ''}>{rule}</Text>
      {conditions.length ? (
        <ul className={styles['conditions']}>
          {conditions.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : null}
      {description ? (
        <Text size="sm" c="dimmed" className={styles['description'] ?? ''}>
          {description}
        </Text>
      ) : null}
      <Button
        className={styles['show'] ?? ''}
        size="compact-sm"
        variant="subtle"
        leftSection={<IconMap2 size={16} />}
        aria-pressed={isShown}
        aria-label={t('policies:public.showOne', { name })}
        onClick={() => onShow(isShown ? null : id)}
      >
        {t(isShown ? 'policies:public.shown' : 'policies:public.show')}
      </Button>
    </li>
  )
})
