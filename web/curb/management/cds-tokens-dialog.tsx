import { useTranslation } from 'react-i18next'
import { CdsToken, listCdsTokens, makeCdsToken, revokeCdsToken } from '#contract/cds-tokens.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { AccessTokensDialog } from '#web/shell/access-tokens-dialog.tsx'
import { useRegion } from '#web/shell/region.tsx'

const accesses = CdsToken.shape.access.options

/** The addresses of a region's CDS APIs that require a token, and the tokens. */
export function CdsTokensDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId, timezone } = useRegion()
  const params = { region_id: regionId }
  const tokens = useEndpointQuery(listCdsTokens, { params }, { staleTime: 0 })
  const makeToken = useEndpointMutation(makeCdsToken, [listCdsTokens])
  const revoke = useEndpointMutation(revokeCdsToken, [listCdsTokens])
  const { data } = tokens
  return (
    <AccessTokensDialog
      title={t('curb:tokens.title')}
      text={t('curb:tokens.text')}
      emptyText={t('curb:tokens.empty')}
      timezone={timezone}
      urls={Object.entries(data?.urls ?? {}).map(([api, value]) => ({
        label: t(`curb:tokens.url.${api}`, { defaultValue: api }),
        value,
      }))}
      tokens={tokens}
      reads={{
        description: t('curb:tokens.readsHint'),
        options: accesses.map((access) => ({ value: access, label: t(`curb:tokens.access.${access}`) })),
        getText: ({ access }) => t(`curb:tokens.access.${access}`),
      }}
      creation={{
        token: makeToken.data?.token,
        error: makeToken.error,
        isPending: makeToken.isPending,
        create: (name, choice, onCreated) => {
          const access = accesses.find((candidate) => candidate === choice)
          if (access) makeToken.mutate({ params, body: { name, access } }, { onSuccess: onCreated })
        },
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
