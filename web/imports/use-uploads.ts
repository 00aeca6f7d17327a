import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listImports, uploadTrips } from '#contract/imports.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'

export interface Upload {
  id: number
  file: File
  /** Uploaded share, 0 to 1; null while the upload is waiting. */
  share: number | null
  error: ApiError | null
}

export interface Uploads {
  list: readonly Upload[]
  add: (files: readonly File[]) => void
  retry: (id: number) => void
  remove: (id: number) => void
}

/** Uploads files one after the other; failed ones remain in the list and can be repeated. */
export function useUploads(regionId: string): Uploads {
  const client = useQueryClient()
  const [list, setList] = useState<readonly Upload[]>([])
  const lastId = useRef(0)
  const line = useRef<Promise<void>>(Promise.resolve())
  const controllers = useRef(new Map<number, AbortController>())
  const change = (id: number, changes: Partial<Upload>) =>
    setList((uploads) => uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  const drop = (id: number) => setList((uploads) => uploads.filter((upload) => upload.id !== id))
  const uploadFile = async (id: number, file: File, stop: AbortController): Promise<void> => {
    if (stop.signal.aborted) return
    change(id, { share: 0, error: null })
    try {
      await call(
        uploadTrips,
        { params: { region_id: regionId }, query: { file_name: file.name }, body: file },
        { signal: stop.signal, onProgress: (share) => change(id, { share }) },
      )
      await client.invalidateQueries({ queryKey: endpointQueryKey(listImports) })
      drop(id)
    } catch (error) {
      change(id, { share: null, error: error as ApiError })
    }
  }
  const queue = (id: number, file: File) => {
    const stop = new AbortController()
    controllers.current.set(id, stop)
    line.current = line.current.then(() => uploadFile(id, file, stop))
  }
  return {
    list,
    add: (files) => {
      const added = files.map((file) => ({ id: (lastId.current += 1), file, share: null, error: null }))
      setList((uploads) => [...uploads, ...added])
      for (const { id, file } of added) queue(id, file)
    },
    retry: (id) => {
      const upload = list.find((candidate) => candidate.id === id)
      change(id, { error: null })
      if (upload) queue(id, upload.file)
    },
    remove: (id) => {
      controllers.current.get(id)?.abort()
      drop(id)
    },
  }
}
