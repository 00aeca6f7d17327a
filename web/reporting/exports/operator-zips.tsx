import { Button, Group, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { buildOperatorZip, listOperatorZips } from '#contract/exports.ts'
import { listOperators } from '#contract/operators.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useRegion } from '#web/shell/region.tsx'
import { followZips, ZipList } from './zip-list.tsx'

/** Zips of everything stored about an operator, for operators that request their data or leave. */
export function OperatorZips() {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId }
  const operators = useEndpointQuery(listOperators, { query: params })
  const [operator, setOperator] = useState<string | null>(null)
  const zips = useEndpointQuery(listOperatorZips, { params }, followZips)
  const build = useEndpointMutation(buildOperatorZip, [listOperatorZips])
  return (
    <ZipList
      texts={{
        title: t('exports:operatorZips.title'),
        text: t('exports:operatorZips.text'),
        emptyTitle: t('exports:operatorZips.empty.title'),
        emptyText: t('exports:operatorZips.empty.text'),
      }}
      zips={zips}
      error={build.error}
      canExpire
      controls={
        <Group mb="md" align="end">
          <Select
            label={t('exports:operatorZips.operator')}
            error={operators.error?.message}
            data={(operators.data?.items ?? []).map(({ slug, name }) => ({
              value: slug,
              label: name || slug,
            }))}
            value={operator}
            onChange={setOperator}
          />
          <Button
            variant="default"
            disabled={operator === null}
            loading={build.isPending}
            onClick={() => operator !== null && build.mutate({ params, body: { operator } })}
          >
            {t('exports:operatorZips.build')}
          </Button>
        </Group>
      }
      columns={[
        {
          key: 'operator',
          title: t('exports:operatorZips.operator'),
          value: ({ operator: slug }) =>
            operators.data?.items.find((operator) => operator.slug === slug)?.name ?? slug,
        },
      ]}
    />
  )
}
