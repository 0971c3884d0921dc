# ruff: noqa: E501 - a pattern is one line
"""Formats of tokens with a published prefix or frame, by field: rows of provider, gate and pattern.

Only formats that a provider documents, or that its own key scanners name, stand here. What token characters follow a
shape belong to it, so that a longer token of tomorrow is not cut in half; a shape that is also the begin of honest
words ends where it ends (`_END`). Paper: 5.3, Scanners.
Not here: formats with conditions of their own (core.scan.formats).
"""

_END = r"(?![A-Za-z0-9])"
_TAIL = r"[A-Za-z0-9_=-]{0,255}"
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_Rows = tuple[tuple[str, str, str], ...]

# Clouds, databases, registries, builds, monitoring, secrets.
PLATFORM: _Rows = (
    ("DigitalOcean", r"do[opr]_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    ("Databricks", r"dapi[a-f0-9]{8}", r"dapi[a-f0-9]{32}(?:-[0-9])?"),
    ("Netlify", r"nf[po]_[A-Za-z0-9]{8}", r"nf[po]_[A-Za-z0-9]{36}"),
    ("Vercel", r"vercel_blob_rw_|vc[pka]_[A-Za-z0-9]{8}", r"vercel_blob_rw_[A-Za-z0-9_]{24,80}|vc[pka]_[A-Za-z0-9]{40,80}"),
    ("Render", r"rnd_[A-Za-z0-9]{12}", r"rnd_[A-Za-z0-9]{28,40}"),
    ("Fly.io", r"fm[12][ar]?_[A-Za-z0-9]|FlyV1 |fo1_", r"(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=,_-]{60,1000}|fo1_[A-Za-z0-9_-]{43}"),
    ("Deno Deploy", r"dd[opw]_[A-Za-z0-9]{16}", r"dd[opw]_[A-Za-z0-9]{36}"),
    ("Heroku", r"HRKU-", r"HRKU-[A-Za-z0-9_-]{36,70}"),
    ("Supabase", r"sbp_|sb_secret_", r"sbp_(?:oauth_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,64}"),
    ("PlanetScale", r"pscale_[a-z]+_", r"pscale_(?:tkn|pw|oauth|service)_[A-Za-z0-9_.=-]{32,64}"),
    ("Neon", r"napi_[a-z0-9]{8}", r"napi_[a-z0-9]{40,80}"),
    ("MongoDB Atlas", r"mdb_sa_sk_", r"mdb_sa_sk_[A-Za-z0-9_-]{32,60}"),
    ("Aiven", r"AVNS_", r"AVNS_[A-Za-z0-9_-]{16,40}"),
    ("Confluent", r"cflt[A-Za-z0-9+/]{16}", r"cflt[A-Za-z0-9+/]{60}"),
    ("Vault", r"hv[sbr]\.", r"hv[sbr]\.[A-Za-z0-9_-]{24,255}"),
    ("Doppler", r"dp\.(?:pt|st|ct|sa|scim|audit)\.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,80}"),
    ("1Password service account", r"ops_eyJ", r"ops_eyJ[A-Za-z0-9+/=_-]{100,4000}"),
    ("1Password secret key", r"A3-[A-Z0-9]{6}-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,6}-|[A-Z0-9]{11}-){3,4}[A-Z0-9]{5}"),
    ("age", r"AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{40}"),
    ("Tailscale", r"tskey-", r"tskey-(?:[a-z]{2,10}-){0,2}[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,64}"),
    ("Rancher", r"token-[a-z0-9]{5}:", r"token-[a-z0-9]{5}:[a-z0-9]{54}"),
    ("OpenShift", r"sha256~", r"sha256~[A-Za-z0-9_-]{43}"),
    ("Docker Swarm", r"SWMTKN-1-|SWMKEY-1-", r"(?:SWMTKN-1-|SWMKEY-1-)[A-Za-z0-9+/-]{40,120}"),
    ("Microsoft Entra", r"[0-9]Q~", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    ("Azure DevOps", r"AZDO[A-Za-z0-9]{4}", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    ("Azure Functions, Search", r"Az(?:Fu|Se)[A-Za-z0-9]", r"[A-Za-z0-9_-]{42,44}Az(?:Fu|Se)[A-Za-z0-9_-]{6}={0,2}"),
    ("Azure keys of today", r"JQQJ99[A-Za-z0-9]{8}", r"[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{20,40}"),
    ("Azure Storage", r"\+ASt[A-Za-z0-9+/]", r"[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}={0,2}"),
    ("Google", r"AQ\.Ab8", r"AQ\.Ab8[A-Za-z0-9_-]{40,80}"),
    ("Cloudflare origin CA", r"v1\.0-[a-f0-9]{8}", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    ("Amazon Bedrock", r"ABSK[A-Za-z0-9+/]{8}", r"ABSK[A-Za-z0-9+/]{100,300}={0,2}"),
    ("Alibaba Cloud", r"LTAI[A-Za-z0-9]{8}", r"LTAI[A-Za-z0-9]{12,26}"),
    ("Tencent Cloud", r"AKID[A-Za-z0-9]{8}", r"AKID[A-Za-z0-9]{28,34}"),
    ("Yandex Cloud", r"AQVN[A-Za-z0-9_-]{8}|t1\.[A-Za-z0-9_-]{8}", r"AQVN[A-Za-z0-9_-]{34,40}|t1\.[A-Za-z0-9_-]{8,400}={0,2}\.[A-Za-z0-9_-]{86}"),
    ("Scaleway", r"SCW[A-Z0-9]{12}", rf"SCW[A-Z0-9]{{17}}{_END}"),
    ("Pulumi", r"pul-[a-f0-9]{8}", r"pul-[a-f0-9]{40}"),
    ("HCP Terraform", r"\.atlasv1\.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,100}"),
    ("Infracost", r"ico-[A-Za-z0-9]{16}", rf"ico-[A-Za-z0-9]{{32}}{_END}"),
    ("Prefect", r"pn[ub]_[A-Za-z0-9]{8}", r"pn[ub]_[A-Za-z0-9]{36}"),
    ("Buildkite", r"bk(?:ua|aj|pt|ct)_", r"bk(?:ua|aj|pt|ct)_[A-Za-z0-9]{36,64}"),
    ("CircleCI", r"CCIP(?:AT|RJ)_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{16,32}_[a-f0-9]{40}"),
    ("Harness", r"[ps]at\.[A-Za-z0-9_-]{22}\.", r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    ("Octopus Deploy", r"API-[A-Z0-9]{16}", rf"API-[A-Z0-9]{{25,32}}{_END}"),
    ("Docker Hub", r"dckr_[po]at_", r"dckr_[po]at_[A-Za-z0-9_-]{24,64}"),
    ("JFrog", r"AKCp[A-Za-z0-9]{8}|cmVmdGtu", r"AKCp[A-Za-z0-9]{48,80}|cmVmdGtu[A-Za-z0-9]{56}"),
    ("RubyGems", r"rubygems_[a-f0-9]", r"rubygems_[a-f0-9]{48}"),
    ("Cargo", r"cio[A-Za-z0-9]{16}", rf"cio[A-Za-z0-9]{{32}}{_END}"),
    ("NuGet", r"oy2[a-z0-9]{16}", rf"oy2[a-z0-9]{{43}}{_END}"),
    ("Packagist", r"packagist_[a-z]", r"packagist_[a-z]{3}_[a-f0-9]{60,80}"),
    ("Clojars", r"CLOJARS_[a-z0-9]", r"CLOJARS_[a-z0-9]{60}"),
    ("Sourcegraph", r"sgp_[a-z0-9]|slk_[a-f0-9]{8}", r"sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}|slk_[a-f0-9]{64}"),
    ("SonarQube", r"sq[uap]_[a-f0-9]{8}", r"sq[uap]_[a-f0-9]{40}"),
    ("GitLab runner, the older form", r"GR1348941", r"GR1348941[A-Za-z0-9_-]{20}"),
    ("Grafana", r"glsa_|glc_[A-Za-z0-9]{8}|eyJrIjoi", r"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/]{32,400}|eyJrIjoi[A-Za-z0-9]{60,400}"),
    ("Sentry", r"sntry[us]_", r"sntry[us]_[A-Za-z0-9_+/=-]{40,400}"),
    ("New Relic", r"NR(?:AK|AA|JS|II|IQ|RA)-", r"NR(?:AK|AA|JS|II|IQ|RA)-[A-Za-z0-9_-]{18,42}"),
    ("Dynatrace", r"dt0[a-z][0-9]{2}\.", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("LaunchDarkly", r"(?:sdk|mob|api)-[0-9a-f]{8}-", rf"(?:sdk|mob|api)-{_UUID}"),
    ("PostHog", r"ph[xs]_[A-Za-z0-9]{12}", r"ph[xs]_[A-Za-z0-9]{32,64}"),
    ("Honeycomb", r"hc[a-z]ik_", r"hc[a-z]ik_[0-9a-z]{58}"),
    ("Logfire", r"pylf_v[0-9]_", r"pylf_v[0-9]_[a-z]{2}_[A-Za-z0-9]{40,50}"),
    ("Axiom", r"xa[ap]t-[0-9a-f]", rf"xa[ap]t-{_UUID}"),
    ("Infisical", r"(?:^|[^a-z])st\.[0-9a-f]{8}-", rf"st\.{_UUID}\.[0-9a-f]{{32}}\.[0-9a-f]{{32}}"),
    ("Cloudflare", r"cf(?:ut|at|k)_[A-Za-z0-9]{8}", r"cf(?:ut|at|k)_[A-Za-z0-9]{40}"),
    ("Snowflake session", r"ETMsDgAAA", r"ETMsDgAAA[A-Za-z0-9+/=]{60,400}"),
    ("Harbor robot", r"robot\$[^\s:]*:", r"robot\$[A-Za-z0-9_+-]{1,40}:[A-Za-z0-9]{32}"),
    ("age, post-quantum", r"AGE-SECRET-KEY-PQ-1", r"AGE-SECRET-KEY-PQ-1[A-Z0-9]{40}"),
    ("minisign", r"RWRTY0Iy", r"RWRTY0Iy[A-Za-z0-9+/]{120,300}"),
    ("Nostr", r"nsec1[02-9ac-z]{8}", rf"nsec1[02-9ac-hj-np-z]{{58}}{_END}"),
    ("BIP 32", r"[xyz]prv[A-Za-z0-9]{4}", r"[xyz]prv[1-9A-HJ-NP-Za-km-z]{90,120}"),
    ("MaxMind", r"_mmk", rf"[A-Za-z0-9]{{6}}_[A-Za-z0-9]{{29}}_mmk{_END}"),
)  # fmt: skip
# Applications, models, messages.
SERVICE: _Rows = (
    ("OpenRouter, Langfuse, DeepSeek", r"sk-(?:or-v1|lf)-|sk-[a-f0-9]{16}", rf"sk-or-v1-[a-f0-9]{{64}}|sk-lf-{_UUID}|sk-[a-f0-9]{{32,64}}(?![A-Za-z0-9_-])"),
    ("Replicate", r"r8_[A-Za-z0-9]{12}", r"r8_[A-Za-z0-9]{37}"),
    ("xAI", r"xai-[A-Za-z0-9]{12}", r"xai-[A-Za-z0-9]{70}"),
    ("Groq", r"gsk_[A-Za-z0-9]{8}", r"gsk_[A-Za-z0-9]{48,56}"),
    ("Perplexity", r"pplx-", r"pplx-[A-Za-z0-9]{40,64}"),
    ("Fireworks", r"fw_[A-Za-z0-9]{16}", r"fw_[A-Za-z0-9]{20,32}(?![A-Za-z0-9_])"),
    ("Together", r"tgp_v1_", r"tgp_v1_[A-Za-z0-9_-]{40,64}"),
    ("Pinecone", r"pcsk_", r"pcsk_[A-Za-z0-9_]{50,90}"),
    ("LangSmith", r"lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    ("Tavily", r"tvly-", r"tvly-[A-Za-z0-9-]{24,64}"),
    ("Firecrawl", r"fc-[a-f0-9]{16}", rf"fc-[a-f0-9]{{32}}{_END}"),
    ("NVIDIA", r"nvapi-", r"nvapi-[A-Za-z0-9_-]{50,90}"),
    ("Cerebras", r"csk-[a-z0-9]{16}", r"csk-[a-z0-9]{40,64}"),
    ("Jina", r"jina_[a-f0-9]{16}", r"jina_[a-f0-9]{32}[A-Za-z0-9_-]{28}"),
    ("Browserbase", r"bb_(?:live|test)_", r"bb_(?:live|test)_[A-Za-z0-9_-]{24,60}"),
    ("ElevenLabs", r"sk_[a-f0-9]{16}", rf"sk_[a-f0-9]{{48}}{_END}"),
    ("OpenAI sessions", r"sess-[A-Za-z0-9]{16}", r"sess-[A-Za-z0-9]{40}"),
    ("Weights & Biases, E2B, LlamaCloud", r"wandb_v1_|e2b_[a-f0-9]{16}|llx-[A-Za-z0-9]{16}", r"wandb_v1_[A-Za-z0-9_]{40,100}|e2b_[a-f0-9]{40}|llx-[A-Za-z0-9]{40,60}"),
    ("Matrix, dbt", r"syt_[A-Za-z0-9]{4}|dbt[cs]_[A-Za-z0-9_=-]{16}", r"syt_[A-Za-z0-9]{4,60}_[A-Za-z0-9]{16,30}_[A-Za-z0-9]{6}|dbt[cs]_[A-Za-z0-9_=-]{32,60}"),
    ("Hugging Face, organisation", r"api_org_[A-Za-z]", rf"api_org_[A-Za-z]{{34}}{_END}"),
    ("Voyage", r"(?-u:\b)pa-[A-Za-z0-9_-]{8}", rf"pa-[A-Za-z0-9_-]{{43}}{_END}"),
    ("RunPod", r"rpa_[A-Z0-9]{8}", r"rpa_[A-Z0-9]{36,44}[A-Za-z0-9]{2,10}"),
    ("Modal", r"(?-u:\b)a[ks]-[A-Za-z0-9]{8}", rf"a[ks]-[A-Za-z0-9]{{22}}{_END}"),
    ("Cursor", r"key_[a-f0-9]{8}", rf"key_[a-f0-9]{{64}}{_END}"),
    ("Mem0", r"(?-u:\b)m0-[A-Za-z0-9]{8}", rf"m0-[A-Za-z0-9]{{40}}{_END}"),
    ("Helicone", r"sk-helicone-", r"sk-helicone-(?:[a-z0-9]{7}-){3}[a-z0-9]{7}"),
    ("Trello", r"ATTA[a-f0-9]{4}", r"ATTA[a-f0-9]{64}"),
    ("Miro", r"eyJtaXJvLm9yaWdpbiI6", r"eyJtaXJvLm9yaWdpbiI6[A-Za-z0-9+/=_-]{20,120}"),
    ("Telnyx", r"KEY[0-9A-Z]{8}", r"KEY[0-9A-Z]{32}_[A-Za-z0-9]{22}"),
    ("Mandrill", r"(?-u:\b)md-[A-Za-z0-9_-]{8}", rf"md-[A-Za-z0-9_-]{{22}}{_END}"),
    ("Apify", r"apify_api_", r"apify_api_[A-Za-z0-9]{30,50}"),
    ("Postman", r"PMAK-", r"PMAK-[a-f0-9]{24}(?:-[a-f0-9]{34})?"),
    ("Linear", r"lin_(?:api|oauth)_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    ("Notion", r"ntn_|secret_[A-Za-z0-9]{16}", rf"ntn_[A-Za-z0-9]{{40,50}}|secret_[A-Za-z0-9]{{43}}{_END}"),
    ("Atlassian", r"AT[AC]TT3|ATBB[A-Za-z0-9_=-]{8}", r"AT[AC]TT3[A-Za-z0-9_=-]{32,400}|ATBB[A-Za-z0-9_=-]{28,400}"),
    ("Figma", r"fig[dur]{1,2}_[A-Za-z0-9_-]", r"fig[dur]{1,2}_[A-Za-z0-9_-]{36,60}"),
    ("Airtable", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{4}", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("HubSpot", r"pat-[a-z]{2}[0-9]-", rf"pat-[a-z]{{2}}[0-9]-{_UUID}"),
    ("Asana", r"[0-9]/[0-9]{12}", r"[0-9]/[0-9]{12,20}(?:/[0-9]{12,20})?:[a-f0-9]{32}"),
    ("ClickUp", r"pk_[0-9]{4,12}_[A-Z0-9]{8}", r"pk_[0-9]{4,12}_[A-Z0-9]{32}"),
    ("Typeform", r"tfp_[A-Za-z0-9_.=-]{8}", r"tfp_[A-Za-z0-9_.=-]{40,70}"),
    ("ReadMe", r"rdme_[a-z0-9]", r"rdme_[a-z0-9]{60,80}"),
    ("Contentful", r"CFPAT-", r"CFPAT-[A-Za-z0-9_-]{43}"),
    ("Frame.io", r"fio-u-", r"fio-u-[A-Za-z0-9_=-]{60,70}"),
    ("Adobe", r"p8e-[A-Za-z0-9_-]{8}", r"p8e-[A-Za-z0-9_-]{28,40}"),
    ("Zuplo", r"zpka_", r"zpka_[A-Za-z0-9_]{30,80}"),
    ("Adafruit", r"aio_[A-Za-z0-9]{16}", rf"aio_[A-Za-z0-9]{{28}}{_END}"),
    ("Mapbox", r"[st]k\.eyJ", r"[st]k\.eyJ[A-Za-z0-9_-]{20,400}\.[A-Za-z0-9_-]{16,64}"),
    ("Brevo", r"xkeysib-|xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    ("Resend", r"(?-u:\b)re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{12}", rf"re_[A-Za-z0-9]{{6,10}}_[A-Za-z0-9]{{20,32}}{_END}"),
    ("Mailchimp", r"[a-f0-9]-us[0-9]", rf"[a-f0-9]{{32}}-us[0-9]{{1,2}}{_END}"),
    ("Mailgun", r"key-[a-f0-9]{8}", rf"(?:pub)?key-[a-f0-9]{{32}}{_END}"),
    ("Twilio", r"SK[a-f0-9]{16}", rf"SK[a-f0-9]{{32}}{_END}"),
    ("Nylas", r"nyk_v0_", r"nyk_v0_[A-Za-z0-9]{40,80}"),
    ("Intercom", r"dG9rO[A-Za-z0-9+/]{16}", r"dG9rO[A-Za-z0-9+/]{40,120}"),
    ("X", r"AAAAAAAAAAAAAAAAAAAA", r"A{20,24}[A-Za-z0-9%]{50,120}"),
    ("Meta", r"EAA[A-Za-z0-9]{24}", r"EAA[A-Za-z0-9]{60,400}"),
    ("LinkedIn", r"WPL_AP", r"WPL_AP[0-9]\.[A-Za-z0-9]{12,20}\.[A-Za-z0-9+/=]{6,16}"),
    ("Dropbox", r"sl\.[A-Za-z0-9_-]{20}|sl\.u\.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{60,2000}"),
    ("Google refresh token", r"1//0[A-Za-z0-9_-]{8}", r"1//0[A-Za-z0-9_-]{40,120}"),
    ("Okta", r"(?-u:\b)00[a-zA-Z][A-Za-z0-9_-]{24}", rf"00[a-zA-Z][A-Za-z0-9_-]{{39}}{_END}"),
)  # fmt: skip
PAYMENT: _Rows = (
    ("Shopify", r"shp(?:at|ca|pa|ss)_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("Square", r"sq0(?:atp|csp|idp)-|EAAA[A-Za-z0-9_-]{16}", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22}|EAAA[A-Za-z0-9_-]{60}"),
    ("Razorpay", r"rzp_(?:live|test)_", r"rzp_(?:live|test)_[A-Za-z0-9]{14,20}"),
    ("Shippo", r"shippo_(?:live|test)_", r"shippo_(?:live|test)_[a-f0-9]{40}"),
    ("EasyPost", r"EZ[AT]K[A-Za-z0-9]{8}", r"EZ[AT]K[A-Za-z0-9]{54}"),
    ("Duffel", r"duffel_(?:live|test)_", r"duffel_(?:live|test)_[A-Za-z0-9_=-]{40,48}"),
    ("Flutterwave", r"FLWSECK", r"FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,40}(?:-X)?"),
    ("Braintree", r"access_token\$(?:production|sandbox)", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("Plaid", r"access-(?:sandbox|development|production)-", r"access-(?:sandbox|development|production)-[0-9a-f-]{36}"),
    ("Lob, Mollie", r"(?:live|test)_[A-Za-z0-9]{24}|(?:live|test)_pub_", rf"(?:live|test)_(?:pub_)?[A-Za-z0-9]{{30,48}}{_END}"),
    ("Adyen", r"AQE[A-Za-z0-9+/]{8}", r"AQE[A-Za-z0-9+/]{30,80}-[A-Za-z0-9+/]{20,80}={0,2}-[^\s\"'`<>]{12,40}"),
    ("Stytch", r"secret-(?:live|test)-", r"secret-(?:live|test)-[A-Za-z0-9_-]{32,48}=?"),
)  # fmt: skip


def gate_of(rows: _Rows) -> str:
    """Returns the gate of rows: any of their beginnings."""
    return "|".join(gate for _, gate, _ in rows)


def pattern_of(rows: _Rows, edge: str) -> str:
    """Returns the pattern of rows: one of them from an edge on, with the token characters after it."""
    return f"{edge}(?:{'|'.join(f'(?:{shape}){_after(shape)}' for _, _, shape in rows)})"


def _after(shape: str) -> str:
    return "" if shape.endswith(")") else _TAIL
