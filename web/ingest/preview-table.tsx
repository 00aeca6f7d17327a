import { Title } from '@mantine/core'
import styles from './ingest.module.css'

interface Cell {
  text: string
  tone?: 'red' | 'amber'
}

interface Props {
  title: string
  heads: readonly string[]
  rows: readonly (readonly Cell[])[]
}

/** A few rows of a file; wide ones scroll. */
export function PreviewTable({ title, heads, rows }: Props) {
  return (
    <section>
      <Title order={3} mt="sm" mb={4}>
        {title}
      </Title>
      <div className={styles['preview']} tabIndex={0} role="region" aria-label={title}>
        <table>
          {/* Two columns of a file may bear the same name, and rows have none: their place is their key. */}
          <thead>
            <tr>
              {heads.map((head, at) => (
                <th key={at} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={column} data-tone={cell.tone}>
                    {cell.text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
