import { Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

/** One part of the page: title, what its numbers are about, and its table. */
export function WorkSection({ part, children }: { part: 'jobs' | 'data' | 'queries'; children: ReactNode }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section aria-labelledby={id} style={{ marginBottom: 'var(--mantine-spacing-xl)' }}>
      <Title order={2} size="h4" id={id}>
        {t(`derived:${part}.title`)}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`derived:${part}.note`)}
      </Text>
      {children}
    </section>
  )
}
