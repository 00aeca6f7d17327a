import { Button, Text, Title } from '@mantine/core'
import { IconMap2 } from '@tabler/icons-react'
import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicStatus } from './public-status.ts'
import styles from './public.module.css'

interface Props {
  id: string
  name: string
  status: PublicStatus
  when: string
  description: string | null
  words: readonly string[]
  /** Messages to riders, with their language. */
  messages: readonly { language: string; text: string }[]
  isShown: boolean
  /** Null to show all policies again. */
  onShow: (id: string | null) => void
}

/** One published policy. Memoized, because there may be hundreds. */
export const PublicPolicyItem = memo(function PublicPolicyItem({
  id,
  name,
  status,
  when,
  description,
  words: [rule, ...conditions],
  messages,
  isShown,
  onShow,
}: Props) {
  const { t } = useTranslation()
  const item = useRef<HTMLLIElement>(null)
  // Also when the page opens with the URL of one policy.
  useEffect(() => {
    if (isShown) item.current?.scrollIntoView({ block: 'center' })
  }, [isShown])
  return (
    <li ref={item} className={styles['policy']} data-shown={isShown || undefined}>
      <Title order={3} className={styles['name'] ?? ''}>
        {name}
      </Title>
      <p className={styles['when']}>
        <span className={styles['mark']} data-status={status}>
          {t(`policies:public.status.${status}`)}
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
      {messages.map(({ language, text }) => (
        <p key={language} lang={language} className={styles['riders']}>
          <strong>{t('policies:public.riders')}</strong> {text}
        </p>
      ))}
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
