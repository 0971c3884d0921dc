# ruff: noqa: E501 - a pattern is one line
"""Formats of tokens with a published prefix or frame, by field: rows of a gate and a pattern.

Only formats that a provider documents, or that its own key scanners name, stand here. What token characters follow a
shape belong to it, so that a longer token of tomorrow is not cut in half; a shape that is also the begin of honest
words ends where it ends (`_END`). Paper: 5.3, Scanners.
Not here: formats with conditions of their own (core.scan.formats).
"""

_END = r"(?![A-Za-z0-9])"
_TAIL = r"[A-Za-z0-9_=-]{0,255}"
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_Rows = tuple[tuple[str, str], ...]

# Clouds, databases, registries, builds, monitoring, secrets.
PLATFORM: _Rows = (
    (r"do[opr]_v1_", r"do[opr]_v1_[a-f0-9]{64}"),  # DigitalOcean
    (r"dapi[a-f0-9]{8}", r"dapi[a-f0-9]{32}(?:-[0-9])?"),  # Databricks
    (r"nf[po]_[A-Za-z0-9]{8}", r"nf[po]_[A-Za-z0-9]{36}"),  # Netlify
    (r"vercel_blob_rw_|vc[pka]_[A-Za-z0-9]{8}", r"vercel_blob_rw_[A-Za-z0-9_]{24,80}|vc[pka]_[A-Za-z0-9]{40,80}"),  # Vercel
    (r"rnd_[A-Za-z0-9]{12}", r"rnd_[A-Za-z0-9]{28,40}"),  # Render
    (r"fm[12][ar]?_[A-Za-z0-9]|FlyV1 |fo1_", r"(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=,_-]{60,1000}|fo1_[A-Za-z0-9_-]{43}"),
    (r"dd[opw]_[A-Za-z0-9]{16}", r"dd[opw]_[A-Za-z0-9]{36}"),  # Deno Deploy
    (r"HRKU-", r"HRKU-[A-Za-z0-9_-]{36,70}"),  # Heroku
    (r"sbp_|sb_secret_", r"sbp_(?:oauth_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,64}"),  # Supabase
    (r"pscale_[a-z]+_", r"pscale_(?:tkn|pw|oauth|service)_[A-Za-z0-9_.=-]{32,64}"),  # PlanetScale
    (r"napi_[a-z0-9]{8}", r"napi_[a-z0-9]{40,80}"),  # Neon
    (r"mdb_sa_sk_", r"mdb_sa_sk_[A-Za-z0-9_-]{32,60}"),  # MongoDB Atlas
    (r"AVNS_", r"AVNS_[A-Za-z0-9_-]{16,40}"),  # Aiven
    (r"cflt[A-Za-z0-9+/]{16}", r"cflt[A-Za-z0-9+/]{60}"),  # Confluent
    (r"hv[sbr]\.", r"hv[sbr]\.[A-Za-z0-9_-]{24,255}"),  # Vault
    (r"dp\.(?:pt|st|ct|sa|scim|audit)\.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,80}"),  # Doppler
    (r"ops_eyJ", r"ops_eyJ[A-Za-z0-9+/=_-]{100,4000}"),  # 1Password service account
    (r"A3-[A-Z0-9]{6}-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,6}-|[A-Z0-9]{11}-){3,4}[A-Z0-9]{5}"),  # 1Password secret key
    (r"AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{40}"),  # age
    (r"tskey-", r"tskey-(?:[a-z]{2,10}-){0,2}[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,64}"),  # Tailscale
    (r"token-[a-z0-9]{5}:", r"token-[a-z0-9]{5}:[a-z0-9]{54}"),  # Rancher
    (r"sha256~", r"sha256~[A-Za-z0-9_-]{43}"),  # OpenShift
    (r"SWMTKN-1-|SWMKEY-1-", r"(?:SWMTKN-1-|SWMKEY-1-)[A-Za-z0-9+/-]{40,120}"),  # Docker Swarm
    (r"[0-9]Q~", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),  # Microsoft Entra
    (r"AZDO[A-Za-z0-9]{4}", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),  # Azure DevOps
    (r"Az(?:Fu|Se)[A-Za-z0-9]", r"[A-Za-z0-9_-]{42,44}Az(?:Fu|Se)[A-Za-z0-9_-]{6}={0,2}"),  # Azure Functions, Search
    (r"JQQJ99[A-Za-z0-9]{8}", r"[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{20,40}"),  # Azure keys of today
    (r"\+ASt[A-Za-z0-9+/]", r"[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}={0,2}"),  # Azure Storage
    (r"AQ\.Ab8", r"AQ\.Ab8[A-Za-z0-9_-]{40,80}"),  # Google
    (r"v1\.0-[a-f0-9]{8}", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),  # Cloudflare origin CA
    (r"ABSK[A-Za-z0-9+/]{8}", r"ABSK[A-Za-z0-9+/]{100,300}={0,2}"),  # Amazon Bedrock
    (r"LTAI[A-Za-z0-9]{8}", r"LTAI[A-Za-z0-9]{12,26}"),  # Alibaba Cloud
    (r"AKID[A-Za-z0-9]{8}", r"AKID[A-Za-z0-9]{28,34}"),  # Tencent Cloud
    (r"AQVN[A-Za-z0-9_-]{8}|t1\.[A-Za-z0-9_-]{8}", r"AQVN[A-Za-z0-9_-]{34,40}|t1\.[A-Za-z0-9_-]{8,400}={0,2}\.[A-Za-z0-9_-]{86}"),
    (r"SCW[A-Z0-9]{12}", rf"SCW[A-Z0-9]{{17}}{_END}"),  # Scaleway
    (r"pul-[a-f0-9]{8}", r"pul-[a-f0-9]{40}"),  # Pulumi
    (r"\.atlasv1\.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,100}"),  # HCP Terraform
    (r"ico-[A-Za-z0-9]{16}", rf"ico-[A-Za-z0-9]{{32}}{_END}"),  # Infracost
    (r"pn[ub]_[A-Za-z0-9]{8}", r"pn[ub]_[A-Za-z0-9]{36}"),  # Prefect
    (r"bk(?:ua|aj|pt|ct)_", r"bk(?:ua|aj|pt|ct)_[A-Za-z0-9]{36,64}"),  # Buildkite
    (r"CCIP(?:AT|RJ)_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{16,32}_[a-f0-9]{40}"),  # CircleCI
    (r"[ps]at\.[A-Za-z0-9_-]{22}\.", r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),  # Harness
    (r"API-[A-Z0-9]{16}", rf"API-[A-Z0-9]{{25,32}}{_END}"),  # Octopus Deploy
    (r"dckr_[po]at_", r"dckr_[po]at_[A-Za-z0-9_-]{24,64}"),  # Docker Hub
    (r"AKCp[A-Za-z0-9]{8}|cmVmdGtu", r"AKCp[A-Za-z0-9]{48,80}|cmVmdGtu[A-Za-z0-9]{56}"),  # JFrog
    (r"rubygems_[a-f0-9]", r"rubygems_[a-f0-9]{48}"),  # RubyGems
    (r"cio[A-Za-z0-9]{16}", rf"cio[A-Za-z0-9]{{32}}{_END}"),  # crates.io
    (r"oy2[a-z0-9]{16}", rf"oy2[a-z0-9]{{43}}{_END}"),  # NuGet
    (r"packagist_[a-z]", r"packagist_[a-z]{3}_[a-f0-9]{60,80}"),  # Packagist
    (r"CLOJARS_[a-z0-9]", r"CLOJARS_[a-z0-9]{60}"),  # Clojars
    (r"sgp_[a-z0-9]|slk_[a-f0-9]{8}", r"sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}|slk_[a-f0-9]{64}"),  # Sourcegraph
    (r"sq[uap]_[a-f0-9]{8}", r"sq[uap]_[a-f0-9]{40}"),  # SonarQube
    (r"GR1348941", r"GR1348941[A-Za-z0-9_-]{20}"),  # GitLab runner, the older form
    (r"glsa_|glc_[A-Za-z0-9]{8}|eyJrIjoi", r"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/]{32,400}|eyJrIjoi[A-Za-z0-9]{60,400}"),
    (r"sntry[us]_", r"sntry[us]_[A-Za-z0-9_+/=-]{40,400}"),  # Sentry
    (r"NR(?:AK|AA|JS|II|IQ|RA)-", r"NR(?:AK|AA|JS|II|IQ|RA)-[A-Za-z0-9_-]{18,42}"),  # New Relic
    (r"dt0[a-z][0-9]{2}\.", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),  # Dynatrace
    (r"(?:sdk|mob|api)-[0-9a-f]{8}-", rf"(?:sdk|mob|api)-{_UUID}"),  # LaunchDarkly
    (r"ph[xs]_[A-Za-z0-9]{12}", r"ph[xs]_[A-Za-z0-9]{32,64}"),  # PostHog
    (r"hc[a-z]ik_", r"hc[a-z]ik_[0-9a-z]{58}"),  # Honeycomb
    (r"pylf_v[0-9]_", r"pylf_v[0-9]_[a-z]{2}_[A-Za-z0-9]{40,50}"),  # Logfire
    (r"xa[ap]t-[0-9a-f]", rf"xa[ap]t-{_UUID}"),  # Axiom
    (r"(?:^|[^a-z])st\.[0-9a-f]{8}-", rf"st\.{_UUID}\.[0-9a-f]{{32}}\.[0-9a-f]{{32}}"),  # Infisical
    (r"cf(?:ut|at|k)_[A-Za-z0-9]{8}", r"cf(?:ut|at|k)_[A-Za-z0-9]{40}"),  # Cloudflare
    (r"ETMsDgAAA", r"ETMsDgAAA[A-Za-z0-9+/=]{60,400}"),  # Snowflake session
    (r"robot\$[^\s:]*:", r"robot\$[A-Za-z0-9_+-]{1,40}:[A-Za-z0-9]{32}"),  # Harbor robot
    (r"AGE-SECRET-KEY-PQ-1", r"AGE-SECRET-KEY-PQ-1[A-Z0-9]{40}"),  # age, post-quantum
    (r"RWRTY0Iy", r"RWRTY0Iy[A-Za-z0-9+/]{120,300}"),  # minisign
    (r"nsec1[02-9ac-z]{8}", rf"nsec1[02-9ac-hj-np-z]{{58}}{_END}"),  # Nostr
    (r"[xyz]prv[A-Za-z0-9]{4}", r"[xyz]prv[1-9A-HJ-NP-Za-km-z]{90,120}"),  # BIP 32
    (r"_mmk", rf"[A-Za-z0-9]{{6}}_[A-Za-z0-9]{{29}}_mmk{_END}"),  # MaxMind
)  # fmt: skip
# Applications, models, messages.
SERVICE: _Rows = (
    (r"sk-(?:or-v1|lf)-|sk-[a-f0-9]{16}", rf"sk-or-v1-[a-f0-9]{{64}}|sk-lf-{_UUID}|sk-[a-f0-9]{{32,64}}(?![A-Za-z0-9_-])"),
    (r"r8_[A-Za-z0-9]{12}", r"r8_[A-Za-z0-9]{37}"),  # Replicate
    (r"xai-[A-Za-z0-9]{12}", r"xai-[A-Za-z0-9]{70}"),  # xAI
    (r"gsk_[A-Za-z0-9]{8}", r"gsk_[A-Za-z0-9]{48,56}"),  # Groq
    (r"pplx-", r"pplx-[A-Za-z0-9]{40,64}"),  # Perplexity
    (r"fw_[A-Za-z0-9]{16}", r"fw_[A-Za-z0-9]{20,32}(?![A-Za-z0-9_])"),  # Fireworks
    (r"tgp_v1_", r"tgp_v1_[A-Za-z0-9_-]{40,64}"),  # Together
    (r"pcsk_", r"pcsk_[A-Za-z0-9_]{50,90}"),  # Pinecone
    (r"lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),  # LangSmith
    (r"tvly-", r"tvly-[A-Za-z0-9-]{24,64}"),  # Tavily
    (r"fc-[a-f0-9]{16}", rf"fc-[a-f0-9]{{32}}{_END}"),  # Firecrawl
    (r"nvapi-", r"nvapi-[A-Za-z0-9_-]{50,90}"),  # NVIDIA
    (r"csk-[a-z0-9]{16}", r"csk-[a-z0-9]{40,64}"),  # Cerebras
    (r"jina_[a-f0-9]{16}", r"jina_[a-f0-9]{32}[A-Za-z0-9_-]{28}"),  # Jina
    (r"bb_(?:live|test)_", r"bb_(?:live|test)_[A-Za-z0-9_-]{24,60}"),  # Browserbase
    (r"sk_[a-f0-9]{16}", rf"sk_[a-f0-9]{{48}}{_END}"),  # ElevenLabs
    (r"sess-[A-Za-z0-9]{16}", r"sess-[A-Za-z0-9]{40}"),  # OpenAI sessions
    (r"wandb_v1_|e2b_[a-f0-9]{16}|llx-[A-Za-z0-9]{16}", r"wandb_v1_[A-Za-z0-9_]{40,100}|e2b_[a-f0-9]{40}|llx-[A-Za-z0-9]{40,60}"),
    (r"syt_[A-Za-z0-9]{4}|dbt[cs]_[A-Za-z0-9_=-]{16}", r"syt_[A-Za-z0-9]{4,60}_[A-Za-z0-9]{16,30}_[A-Za-z0-9]{6}|dbt[cs]_[A-Za-z0-9_=-]{32,60}"),
    (r"api_org_[A-Za-z]", rf"api_org_[A-Za-z]{{34}}{_END}"),  # Hugging Face, organisation
    (r"(?-u:\b)pa-[A-Za-z0-9_-]{8}", rf"pa-[A-Za-z0-9_-]{{43}}{_END}"),  # Voyage
    (r"rpa_[A-Z0-9]{8}", r"rpa_[A-Z0-9]{36,44}[A-Za-z0-9]{2,10}"),  # RunPod
    (r"(?-u:\b)a[ks]-[A-Za-z0-9]{8}", rf"a[ks]-[A-Za-z0-9]{{22}}{_END}"),  # Modal
    (r"key_[a-f0-9]{8}", rf"key_[a-f0-9]{{64}}{_END}"),  # Cursor
    (r"(?-u:\b)m0-[A-Za-z0-9]{8}", rf"m0-[A-Za-z0-9]{{40}}{_END}"),  # Mem0
    (r"sk-helicone-", r"sk-helicone-(?:[a-z0-9]{7}-){3}[a-z0-9]{7}"),  # Helicone
    (r"ATTA[a-f0-9]{4}", r"ATTA[a-f0-9]{64}"),  # Trello
    (r"eyJtaXJvLm9yaWdpbiI6", r"eyJtaXJvLm9yaWdpbiI6[A-Za-z0-9+/=_-]{20,120}"),  # Miro
    (r"KEY[0-9A-Z]{8}", r"KEY[0-9A-Z]{32}_[A-Za-z0-9]{22}"),  # Telnyx
    (r"(?-u:\b)md-[A-Za-z0-9_-]{8}", rf"md-[A-Za-z0-9_-]{{22}}{_END}"),  # Mandrill
    (r"apify_api_", r"apify_api_[A-Za-z0-9]{30,50}"),  # Apify
    (r"PMAK-", r"PMAK-[a-f0-9]{24}(?:-[a-f0-9]{34})?"),  # Postman
    (r"lin_(?:api|oauth)_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),  # Linear
    (r"ntn_|secret_[A-Za-z0-9]{16}", rf"ntn_[A-Za-z0-9]{{40,50}}|secret_[A-Za-z0-9]{{43}}{_END}"),  # Notion
    (r"AT[AC]TT3|ATBB[A-Za-z0-9_=-]{8}", r"AT[AC]TT3[A-Za-z0-9_=-]{32,400}|ATBB[A-Za-z0-9_=-]{28,400}"),  # Atlassian
    (r"fig[dur]{1,2}_[A-Za-z0-9_-]", r"fig[dur]{1,2}_[A-Za-z0-9_-]{36,60}"),  # Figma
    (r"pat[A-Za-z0-9]{14}\.[a-f0-9]{4}", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),  # Airtable
    (r"pat-[a-z]{2}[0-9]-", rf"pat-[a-z]{{2}}[0-9]-{_UUID}"),  # HubSpot
    (r"[0-9]/[0-9]{12}", r"[0-9]/[0-9]{12,20}(?:/[0-9]{12,20})?:[a-f0-9]{32}"),  # Asana
    (r"pk_[0-9]{4,12}_[A-Z0-9]{8}", r"pk_[0-9]{4,12}_[A-Z0-9]{32}"),  # ClickUp
    (r"tfp_[A-Za-z0-9_.=-]{8}", r"tfp_[A-Za-z0-9_.=-]{40,70}"),  # Typeform
    (r"rdme_[a-z0-9]", r"rdme_[a-z0-9]{60,80}"),  # ReadMe
    (r"CFPAT-", r"CFPAT-[A-Za-z0-9_-]{43}"),  # Contentful
    (r"fio-u-", r"fio-u-[A-Za-z0-9_=-]{60,70}"),  # Frame.io
    (r"p8e-[A-Za-z0-9_-]{8}", r"p8e-[A-Za-z0-9_-]{28,40}"),  # Adobe
    (r"zpka_", r"zpka_[A-Za-z0-9_]{30,80}"),  # Zuplo
    (r"aio_[A-Za-z0-9]{16}", rf"aio_[A-Za-z0-9]{{28}}{_END}"),  # Adafruit
    (r"[st]k\.eyJ", r"[st]k\.eyJ[A-Za-z0-9_-]{20,400}\.[A-Za-z0-9_-]{16,64}"),  # Mapbox
    (r"xkeysib-|xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),  # Brevo
    (r"(?-u:\b)re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{12}", rf"re_[A-Za-z0-9]{{6,10}}_[A-Za-z0-9]{{20,32}}{_END}"),  # Resend
    (r"[a-f0-9]-us[0-9]", rf"[a-f0-9]{{32}}-us[0-9]{{1,2}}{_END}"),  # Mailchimp
    (r"key-[a-f0-9]{8}", rf"(?:pub)?key-[a-f0-9]{{32}}{_END}"),  # Mailgun
    (r"SK[a-f0-9]{16}", rf"SK[a-f0-9]{{32}}{_END}"),  # Twilio
    (r"nyk_v0_", r"nyk_v0_[A-Za-z0-9]{40,80}"),  # Nylas
    (r"dG9rO[A-Za-z0-9+/]{16}", r"dG9rO[A-Za-z0-9+/]{40,120}"),  # Intercom
    (r"AAAAAAAAAAAAAAAAAAAA", r"A{20,24}[A-Za-z0-9%]{50,120}"),  # X
    (r"EAA[A-Za-z0-9]{24}", r"EAA[A-Za-z0-9]{60,400}"),  # Meta
    (r"WPL_AP", r"WPL_AP[0-9]\.[A-Za-z0-9]{12,20}\.[A-Za-z0-9+/=]{6,16}"),  # LinkedIn
    (r"sl\.[A-Za-z0-9_-]{20}|sl\.u\.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{60,2000}"),  # Dropbox
    (r"1//0[A-Za-z0-9_-]{8}", r"1//0[A-Za-z0-9_-]{40,120}"),  # Google refresh token
    (r"(?-u:\b)00[a-zA-Z][A-Za-z0-9_-]{24}", rf"00[a-zA-Z][A-Za-z0-9_-]{{39}}{_END}"),  # Okta
)  # fmt: skip
PAYMENT: _Rows = (
    (r"shp(?:at|ca|pa|ss)_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),  # Shopify
    (r"sq0(?:atp|csp|idp)-|EAAA[A-Za-z0-9_-]{16}", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22}|EAAA[A-Za-z0-9_-]{60}"),  # Square
    (r"rzp_(?:live|test)_", r"rzp_(?:live|test)_[A-Za-z0-9]{14,20}"),  # Razorpay
    (r"shippo_(?:live|test)_", r"shippo_(?:live|test)_[a-f0-9]{40}"),  # Shippo
    (r"EZ[AT]K[A-Za-z0-9]{8}", r"EZ[AT]K[A-Za-z0-9]{54}"),  # EasyPost
    (r"duffel_(?:live|test)_", r"duffel_(?:live|test)_[A-Za-z0-9_=-]{40,48}"),  # Duffel
    (r"FLWSECK", r"FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,40}(?:-X)?"),  # Flutterwave
    (r"access_token\$(?:production|sandbox)", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    (r"access-(?:sandbox|development|production)-", r"access-(?:sandbox|development|production)-[0-9a-f-]{36}"),
    (r"(?:live|test)_[A-Za-z0-9]{24}|(?:live|test)_pub_", rf"(?:live|test)_(?:pub_)?[A-Za-z0-9]{{30,48}}{_END}"),  # Lob, Mollie
    (r"AQE[A-Za-z0-9+/]{8}", r"AQE[A-Za-z0-9+/]{30,80}-[A-Za-z0-9+/]{20,80}={0,2}-[^\s\"'`<>]{12,40}"),  # Adyen
    (r"secret-(?:live|test)-", r"secret-(?:live|test)-[A-Za-z0-9_-]{32,48}=?"),  # Stytch
)  # fmt: skip


def gate_of(rows: _Rows) -> str:
    """Returns the gate of rows: any of their beginnings."""
    return "|".join(gate for gate, _ in rows)


def pattern_of(rows: _Rows, edge: str) -> str:
    """Returns the pattern of rows: one of them from an edge on, with the token characters after it."""
    return f"{edge}(?:{'|'.join(f'(?:{shape}){_after(shape)}' for _, shape in rows)})"


def _after(shape: str) -> str:
    return "" if shape.endswith(")") else _TAIL
