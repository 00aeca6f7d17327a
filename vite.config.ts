import react from '@vitejs/plugin-react'
import mixins from 'postcss-mixins'
import simpleVars from 'postcss-simple-vars'
import { defineConfig } from 'vite'
import { compressFiles } from './scripts/build/compress-files.ts'
import { directImports } from './scripts/build/direct-imports.ts'
import { webChunks } from './scripts/build/web-chunks.ts'
import { breakpoints } from './web/kit/breakpoints.ts'

const server = 'http://127.0.0.1:4870'

export default defineConfig({
  plugins: [
    directImports({
      '@mantine/core': 'esm/index.mjs',
      '@mantine/hooks': 'esm/index.mjs',
      '@tabler/icons-react': 'dist/esm/tabler-icons-react.mjs',
    }),
    react(),
    compressFiles(),
  ],
  css: {
    postcss: {
      plugins: [mixins({ mixinsFiles: 'web/kit/text-styles.css' }), simpleVars({ variables: breakpoints })],
    },
  },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    // The size of the sign-in page is measured from it, and the server names the files of the frame in a header (early-files.ts).
    manifest: true,
    // The list of what each lazy screen would have preloaded costs the sign-in page 4 kB; what index.html names is preloaded still.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []),
    },
    rolldownOptions: { output: { codeSplitting: { groups: webChunks(import.meta.dirname) } } },
    // The map engine is one library; it is loaded by map pages only.
    chunkSizeWarningLimit: 1200,
  },
  server: {
    proxy: { '/v2': server, '/api': server, '/internal': server, '/apipy': server },
  },
  // Found late, these would reload the page in the middle of development.
  optimizeDeps: {
    include: ['maplibre-gl', '@deck.gl/core', '@deck.gl/layers', '@deck.gl/aggregation-layers'],
  },
})
