import { Button, Code, Group, JsonInput, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowLeft, IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '#web/kit/copy-field.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { type ExternalResponse, sendExternal, useApiDescription } from '#web/data/external-call.ts'
import styles from './api-keys.module.css'
import {
  type ApiDescription,
  buildCurl,
  type ExternalOperation,
  listExternalOperations,
  buildUrl,
} from './external-operations.ts'

/** Longer responses are cut, because they would make the page slow. */
const maxShownCharacters = 100_000

/** Indents a response in JSON; other text is returned unchanged. */
function formatBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The response of a call: status, headers and body. */
function ResponsePart({ response }: { response: ExternalResponse }) {
  const { t } = useTranslation()
  const text = formatBody(response.text)
  return (
    <section>
      <Text fw={600} role="status">
        {t('keys:try.status', { status: response.status, ms: response.ms })}
      </Text>
      <p className={styles['headers']}>
        {response.headers.map(([name, value]) => (
          <span key={name}>
            {name}: {value}
            <br />
          </span>
        ))}
      </p>
      <pre className={styles['response']} tabIndex={0} aria-label={t('keys:try.answer')}>
        {text.slice(0, maxShownCharacters)}
      </pre>
      {text.length > maxShownCharacters ? (
        <Text size="sm">{t('keys:try.cut', { count: maxShownCharacters })}</Text>
      ) : null}
    </section>
  )
}

/** The parameters and body of a call, and its last response. */
function CallForm({ operation, apiKey }: { operation: ExternalOperation; apiKey: string }) {
  const { t } = useTranslation()
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(operation.example)
  const [response, setResponse] = useState<ExternalResponse | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isSending, setIsSending] = useState(false)
  const url = buildUrl(operation, values)
  const isBodyValid = operation.example === '' || isJson(body)
  const isMissing = operation.parameters.some(({ name, isRequired }) => isRequired && !values[name])
  const sendRequest = async () => {
    setIsSending(true)
    setError(null)
    setResponse(null)
    try {
      setResponse(
        await sendExternal({ method: operation.method, url, apiKey, body: operation.example ? body : null }),
      )
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    } finally {
      setIsSending(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void sendRequest()
      }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {operation.summary.replaceAll('`', '')} · {t('keys:try.needs', { scope: operation.scope })}
        </Text>
        {operation.parameters.map(({ name, isRequired, location }) => (
          <TextInput
            key={name}
            label={name}
            description={`${location}${isRequired ? ` · ${t('keys:try.required')}` : ''}`}
            required={isRequired}
            value={values[name] ?? ''}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
        {operation.example === '' ? null : (
          <JsonInput
            label={t('keys:try.body')}
            autosize
            minRows={4}
            maxRows={16}
            value={body}
            error={isBodyValid ? null : t('keys:try.badJson')}
            onChange={setBody}
          />
        )}
        <Group>
          <Code>
            {operation.method} {url}
          </Code>
        </Group>
        <CopyField
          label={t('keys:try.curl')}
          value={buildCurl(operation, `${window.location.origin}${url}`, operation.example ? body : null)}
        />
        <Group>
          <Button
            type="submit"
            leftSection={<IconSend size={16} />}
            loading={isSending}
            disabled={apiKey === '' || isMissing || !isBodyValid}
          >
            {t('keys:try.send')}
          </Button>
        </Group>
        {error === null ? null : <FailedState error={new Error(error)} title={t('keys:try.failed')} />}
        {response ? <ResponsePart response={response} /> : null}
      </Stack>
    </form>
  )
}

function BackToKeys() {
  const { t } = useTranslation()
  return (
    <Button
      component={Link}
      to="/admin/api-keys"
      variant="subtle"
      mb="sm"
      leftSection={<IconArrowLeft size={16} />}
    >
      {t('shell:pages.apiKeys')}
    </Button>
  )
}

/** Tries calls of the external API with a key. The operations come from the server's OpenAPI document. */
export function TryScreen() {
  const { t } = useTranslation()
  const description = useApiDescription<ApiDescription>()
  const [apiKey, setApiKey] = useState('')
  const [selectedId, setSelectedId] = useState<string | null>(null)
  return (
    <AdminPage
      page="apiKeys"
      title={t('shell:pages.tryApi')}
      context={t('keys:try.context')}
      back={<BackToKeys />}
    >
      <Loaded query={description}>
        {(document) => {
          const operations = listExternalOperations(document)
          const operation = operations.find(({ id }) => id === selectedId) ?? operations[0]
          return (
            <Stack gap="md" maw={760}>
              <PasswordInput
                label={t('keys:try.key')}
                description={t('keys:try.keyNote')}
                autoComplete="off"
                value={apiKey}
                onChange={(event) => setApiKey(event.currentTarget.value.trim())}
              />
              <Select
                label={t('keys:try.operation')}
                data={operations.map(({ id, method, path }) => ({ value: id, label: `${method} ${path}` }))}
                value={operation?.id ?? null}
                searchable
                allowDeselect={false}
                nothingFoundMessage={t('keys:try.noOperation')}
                onChange={setSelectedId}
              />
              {operation ? <CallForm key={operation.id} operation={operation} apiKey={apiKey} /> : null}
            </Stack>
          )
        }}
      </Loaded>
    </AdminPage>
  )
}
