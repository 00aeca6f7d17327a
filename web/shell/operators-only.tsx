import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listOperators } from '#contract/operators.ts'
import { useAnswer } from '#web/data/query.ts'

/** Says to who sees some operators only, whose numbers these are. */
export function OperatorsOnly({ slugs }: { slugs: readonly string[] }) {
  const { t, i18n } = useTranslation()
  const { data } = useAnswer(listOperators, { query: { size: 300 } })
  const names = slugs.map((slug) => data?.items.find((operator) => operator.slug === slug)?.name ?? slug)
  return (
    <Text size="sm">
      {t('shell:settings.operatorsOnly', {
        names: new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(names),
      })}
    </Text>
  )
}
