import { useTranslation } from 'react-i18next'
import type { ManagedOperator } from '#contract/managed-operators.ts'
import { listMetricsTokens, makeMetricsToken, revokeMetricsToken } from '#contract/mds-metrics.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { AccessTokensDialog } from '#web/shell/access-tokens-dialog.tsx'

interface Props {
  regionId: string
  timezone: string
  operators: readonly ManagedOperator[]
  onClose: () => void
}

/** The address of a region's MDS Metrics API, and the tokens for it. */
export function MetricsDialog({ regionId, timezone, operators, onClose }: Props) {
  const { t } = useTranslation()
  const params = { region_id: regionId }
  const tokens = useEndpointQuery(listMetricsTokens, { params }, { staleTime: 0 })
  const makeToken = useEndpointMutation(makeMetricsToken, [listMetricsTokens])
  const revoke = useEndpointMutation(revokeMetricsToken, [listMetricsTokens])
  const getName = (slug: string | null): string =>
    slug === null
      ? t('feeds:metrics.all')
      : (operators.find((operator) => operator.slug === slug)?.name ?? slug)
  return (
    <AccessTokensDialog
      title={t('feeds:metrics.title')}
      text={t('feeds:metrics.text')}
      emptyText={t('feeds:metrics.emptyText')}
      timezone={timezone}
      urls={tokens.data ? [{ label: t('feeds:metrics.url'), value: tokens.data.url }] : []}
      tokens={tokens}
      reads={{
        description: t('feeds:metrics.readsHint'),
        options: [
          { value: '', label: t('feeds:metrics.all') },
          ...operators.map(({ slug, name }) => ({ value: slug, label: name })),
        ],
        getText: ({ operator }) => getName(operator),
      }}
      creation={{
        token: makeToken.data?.token,
        error: makeToken.error,
        isPending: makeToken.isPending,
        create: (name, operator, onCreated) =>
          makeToken.mutate({ params, body: { name, operator: operator || null } }, { onSuccess: onCreated }),
      }}
      revoking={{
        error: revoke.error,
        pendingId: revoke.isPending ? revoke.variables.params.token_id : null,
        revoke: (token_id) => revoke.mutate({ params: { ...params, token_id } }),
      }}
      onClose={onClose}
    />
  )
}
